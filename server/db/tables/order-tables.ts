import type { Generated } from 'kysely';

/** Orders, their lines, counts and edits, in the form that tables.ts describes. */

export type OrderTables = {
  orders: OrdersTable;
  order_counts: OrderCountsTable;
  order_items: OrderItemsTable;
  order_part_counts: OrderPartCountsTable;
  order_edits: OrderEditsTable;
  order_comments: OrderCommentsTable;
};

type OrdersTable = {
  id: Generated<number>;
  public_id: string;
  /** null for a walk-in customer without email. */
  customer_id: number | null;
  status: string;
  payment_status: string;
  customer_name: string;
  customer_name_folded: string;
  customer_email: string;
  customer_email_folded: string;
  customer_phone: string;
  /** `digitsOf` the phone number. */
  phone_digits: Generated<string | null>;
  shipping_line1: string;
  shipping_line2: string;
  shipping_city: string;
  shipping_state: string;
  shipping_postal_code: string;
  shipping_country: string;
  /** JSON; null: the same as the shipping address. */
  billing_address: string | null;
  notes: string;
  internal_notes: string | null;
  currency: string;
  prices_include_tax: number;
  subtotal: number;
  discount_amount: number;
  discount_reason: string | null;
  voucher_code: string | null;
  tax_amount: number;
  shipping_method: string;
  shipping_cost: number;
  total: number;
  payment_provider: string;
  pickup_location_id: number | null;
  pickup_location_name: string | null;
  tracking_number: string;
  ip_address: string;
  invoice_url: string | null;
  delivery_date: string | null;
  is_test: number;
  internal_status_id: number | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
  /** JSON: the terms of the voucher when it was used; null without a voucher. */
  voucher_terms: string | null;
  /** The part of `discount_amount` that the voucher gave. */
  voucher_discount: Generated<number>;
  /** The manual discount as requested, before it is capped at the subtotal; null: it is the rest of `discount_amount`. */
  manual_discount: number | null;
  /** Shipping cost that a free-shipping voucher waived. */
  waived_shipping: Generated<number>;
  /** Basis points. */
  shipping_tax_rate: Generated<number>;
  /** When the order was first paid; an order with a total of 0 counts as paid when it is created. */
  first_paid_at: string | null;
  /** The payment status before the first payment record was added. */
  base_payment_status: string | null;
  /** The amount received; null: it follows from the payment status. */
  paid_amount: number | null;
  /** The number of the last change (`change-cursors.ts`). */
  changed_in: Generated<number>;
};

/** Counts of orders, kept by triggers; on PostgreSQL a count is the sum of its rows. */
type OrderCountsTable = {
  /** UTC day of creation; `M2026-01` for a month; '' for all days. */
  day: string;
  is_test: number;
  status: string;
  payment_status: string;
  /** 1: orders with a delivery date. */
  dated: number;
  n: number;
};

type OrderPartCountsTable = {
  /** `I5`: orders with internal status 5; `I`: orders without one; `D2026-05-01`: orders with that delivery date; `Ppartial`: orders paid in part. */
  part: string;
  is_test: number;
  status: string;
  payment_status: string;
  n: number;
};

type OrderItemsTable = {
  id: Generated<number>;
  order_id: number;
  product_id: number;
  variant_id: number;
  product_name: string;
  product_sku: string;
  variant_label: string;
  unit_price: number;
  quantity: number;
  subtotal: number;
  discount_amount: number;
  /** Basis points. */
  tax_rate: number;
  tax_amount: number;
  custom_fields: string;
  position: number;
};

type OrderCommentsTable = {
  id: Generated<number>;
  order_id: number;
  author_id: number;
  author: string;
  run_id: number | null;
  body: string;
  created_at: string;
  edited_at: string | null;
  row_version: Generated<number>;
};

type OrderEditsTable = {
  id: Generated<number>;
  order_id: number;
  edited_at: string;
  edited_by_shop_owner_id: number;
  edit_source: 'admin_api' | 'ai_task';
  summary: string;
  total_before_cents: number;
  total_after_cents: number;
  payment_delta_cents: number;
  payment_adjustment_note: string;
  customer_notified: number;
  stock_override_used: number;
};
