import type { Generated } from 'kysely';

/** Who may do what, the server's own books, and the shop; written as tables.ts says. */

export type AdminsTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  email: string;
  email_folded: string;
  role: 'owner' | 'staff';
  /** JSON array; null for owners. */
  permissions: string | null;
  active: number;
  created_at: string;
  last_seen_at: string | null;
  row_version: Generated<number>;
};

export type TokensTable = {
  id: Generated<number>;
  /** null: the machine's own runner token. */
  admin_id: number | null;
  name: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  token_prefix: string;
  /** JSON array; null: all that the admin may. */
  permissions: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
};

export type SettingsTable = { key: string; value: string };

export type AuditLogTable = {
  id: Generated<number>;
  at: string;
  actor_type: 'admin' | 'task' | 'system';
  actor_id: number | null;
  token_id: number | null;
  run_id: number | null;
  action: string;
  resource_type: string;
  resource_id: number | null;
  /** Whose record it is, where it is neither the customer's own nor an order or an inquiry. */
  customer_id: number | null;
  changes: string;
  request_id: string;
  ip: string;
};

export type LogEntriesTable = {
  id: Generated<number>;
  source: string;
  action: string;
  status: string;
  summary: string;
  detail: string | null;
  /** As in the audit log; null where an entry tells of no write. */
  resource_type: string | null;
  resource_id: number | null;
  customer_id: number | null;
  /** Whose act it was, by the name of then, and the run that did it for them; null: nobody's. */
  admin_id: Generated<number | null>;
  admin_name: Generated<string | null>;
  run_id: Generated<number | null>;
  created_at: string;
};

export type DomainEventsTable = {
  id: Generated<number>;
  type: string;
  data: string;
  at: string;
  /** Set where a run caused it: the loop guard of triggers. */
  lineage_id: string | null;
};

export type NotificationsTable = {
  id: Generated<number>;
  type: string;
  severity: string;
  title: string;
  message: string;
  metadata: string | null;
  created_at: string;
};

export type IdempotencyTable = {
  /** SHA-256 of actor, method, path and key. */
  scope: string;
  /** SHA-256 of the raw body. */
  fingerprint: string;
  status: number;
  headers: string;
  body: string | null;
  created_at: string;
};

export type ProductsTable = {
  id: Generated<number>;
  public_id: string;
  slug: string;
  name: string;
  name_folded: string;
  description: string;
  status: string;
  kind: string;
  tax_rate_id: number | null;
  low_stock_threshold: number | null;
  custom_fields: string;
  is_subscription: number;
  billing_interval: string | null;
  billing_interval_count: number;
  cancellation_policy: string;
  max_billing_cycles: number | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

export type VariantsTable = {
  id: Generated<number>;
  product_id: number;
  sku: string;
  label: string;
  price_cents: number;
  compare_at_price_cents: number | null;
  track_stock: number;
  stock: number;
  allow_backorder: number;
  weight_grams: number;
  position: number;
  active: number;
  row_version: Generated<number>;
};

export type StockMovementsTable = {
  id: Generated<number>;
  variant_id: number;
  delta: number;
  reason: string;
  order_id: number | null;
  actor: string;
  at: string;
};

export type CustomersTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  /** '' where there is none. */
  email: string;
  email_folded: string;
  phone: string | null;
  registered: number;
  is_b2b: number;
  discount_group_id: number | null;
  register_ip: string;
  last_login_ip: string;
  anonymised_at: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

export type AddressesTable = {
  id: Generated<number>;
  customer_id: number;
  address_type: string;
  label: string;
  line1: string;
  line2: string | null;
  city: string;
  state: string;
  postal_code: string;
  country: string;
  is_default: number;
};

export type CustomerNotesTable = {
  id: Generated<number>;
  customer_id: number;
  author: string;
  body: string;
  created_at: string;
};

export type CreditBucketsTable = {
  id: Generated<number>;
  customer_id: number;
  remaining_credits: number;
  expires_at: string | null;
  created_at: string;
};

export type CreditTransactionsTable = {
  id: Generated<number>;
  customer_id: number;
  kind: string;
  delta_credits: number;
  credit_id: number;
  reference: string | null;
  note: string | null;
  created_at: string;
  created_by: string;
};

export type OrderStatusesTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  color: string;
  sort_order: number;
  row_version: Generated<number>;
};

export type OrdersTable = {
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
export type OrderCountsTable = {
  /** UTC day of creation, its month as `M2026-01`, or `` for all. */
  day: string;
  is_test: number;
  status: string;
  payment_status: string;
  /** 1: with a delivery date. */
  dated: number;
  n: number;
};

export type OrderPartCountsTable = {
  /** `I5`: with internal status 5; `I`: without one; `D2026-05-01`: with that delivery date. */
  part: string;
  is_test: number;
  status: string;
  payment_status: string;
  n: number;
};

export type OrderItemsTable = {
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

export type OrderEditsTable = {
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

/** How far an import has come, so that it goes on where it stopped. */
export type ImportsTable = { source: string; state: string; updated_at: string };

export type NotificationReadsTable = { admin_id: number; notification_id: number };

export type NotificationPreferencesTable = { admin_id: number; event_type: string; email_enabled: number };

export type InquiriesTable = {
  id: Generated<number>;
  customer_id: number | null;
  name: string;
  email: string;
  subject: string;
  body: string;
  answer: string | null;
  answered_at: string | null;
  email_folded: string;
  /** Folded name, email and subject, a line each. */
  search_folded: string;
  created_at: string;
  row_version: Generated<number>;
};

export type CustomerFilesTable = {
  id: Generated<number>;
  customer_id: number;
  storage_key: string;
  name: string;
  size_bytes: number;
  content_type: string;
  note: string | null;
  created_at: string;
};
