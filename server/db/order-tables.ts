import type { Generated } from 'kysely';

/** Orders and what they consist of; written as tables.ts says. */

export type OrderTables = {
  orders: OrdersTable;
  order_counts: OrderCountsTable;
  order_items: OrderItemsTable;
  order_part_counts: OrderPartCountsTable;
  order_edits: OrderEditsTable;
};

type OrdersTable = {
  id: Generated<number>;
  public_id: string;
  /** null for a walk-in without email. */
  customer_id: number | null;
  status: string;
  payment_status: string;
  customer_name: string;
  customer_name_folded: string;
  customer_email: string;
  customer_email_folded: string;
  customer_phone: string;
  shipping_line1: string;
  shipping_line2: string;
  shipping_city: string;
  shipping_state: string;
  shipping_postal_code: string;
  shipping_country: string;
  /** JSON; null: same as shipping. */
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
  /** JSON: what the voucher gave when it was used; null without one. */
  voucher_terms: string | null;
  /** The voucher's part of `discount_amount`. */
  voucher_discount: Generated<number>;
  /** As wished, before the cap at the subtotal; null: the rest of `discount_amount`. */
  manual_discount: number | null;
  /** Shipping cost that a free-shipping voucher took away. */
  waived_shipping: Generated<number>;
  /** Basis points. */
  shipping_tax_rate: Generated<number>;
  /** When it was first paid; for a total of 0 when it was made. */
  first_paid_at: string | null;
  /** The payment status before the first payment record. */
  base_payment_status: string | null;
  /** What has come in; null: as the payment status tells. */
  paid_amount: number | null;
};

/** Kept by triggers; on PostgreSQL a count is the sum of its rows. */
type OrderCountsTable = {
  /** UTC day of creation, its month as `M2026-01`, or `` for all. */
  day: string;
  is_test: number;
  status: string;
  payment_status: string;
  /** 1: with a delivery date. */
  dated: number;
  n: number;
};

type OrderPartCountsTable = {
  /** `I5`: with internal status 5; `I`: without one; `D2026-05-01`: with that delivery date. */
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
