import type { Generated, Insertable, Selectable } from 'kysely';

/**
 * The one description of both stores: text for timestamps (ISO, UTC) and JSON, integers for money and booleans (0/1).
 * `*_folded` columns hold `fold()` of their namesake, for search and sort.
 */

type AdminsTable = {
  id: Generated<number>;
  name: string;
  email: string;
  email_folded: string;
  role: 'owner' | 'staff';
  /** JSON array; null for owners. */
  permissions: string | null;
  active: number;
  created_at: string;
  last_seen_at: string | null;
};

type TokensTable = {
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

type SettingsTable = { key: string; value: string };

type AuditLogTable = {
  id: Generated<number>;
  at: string;
  actor_type: 'admin' | 'task' | 'system';
  actor_id: number | null;
  token_id: number | null;
  run_id: number | null;
  action: string;
  resource_type: string;
  resource_id: number | null;
  changes: string;
  request_id: string;
  ip: string;
};

type LogEntriesTable = {
  id: Generated<number>;
  source: string;
  action: string;
  status: string;
  summary: string;
  detail: string | null;
  created_at: string;
};

type DomainEventsTable = {
  id: Generated<number>;
  type: string;
  data: string;
  at: string;
  /** Set where a run caused it: the loop guard of triggers. */
  lineage_id: string | null;
};

type NotificationsTable = {
  id: Generated<number>;
  type: string;
  severity: string;
  title: string;
  message: string;
  metadata: string | null;
  created_at: string;
};

type IdempotencyTable = {
  /** SHA-256 of actor, method, path and key. */
  scope: string;
  /** SHA-256 of the raw body. */
  fingerprint: string;
  status: number;
  headers: string;
  body: string | null;
  created_at: string;
};

type ProductsTable = {
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

type VariantsTable = {
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

type StockMovementsTable = {
  id: Generated<number>;
  variant_id: number;
  delta: number;
  reason: string;
  order_id: number | null;
  actor: string;
  at: string;
};

type TaxRatesTable = {
  id: Generated<number>;
  name: string;
  rate_bps: number;
  country: string | null;
  is_default: number;
};

type CustomersTable = {
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
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type AddressesTable = {
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

type CustomerNotesTable = {
  id: Generated<number>;
  customer_id: number;
  author: string;
  body: string;
  created_at: string;
};

type CreditBucketsTable = {
  id: Generated<number>;
  customer_id: number;
  remaining_credits: number;
  expires_at: string | null;
  created_at: string;
};

type CreditTransactionsTable = {
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

type OrderStatusesTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  color: string;
  sort_order: number;
  row_version: Generated<number>;
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

type TasksTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  description: string;
  description_folded: string;
  current_version_id: number | null;
  settings: string;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
};

type TaskVersionsTable = {
  id: Generated<number>;
  task_id: number;
  version: number;
  source_code: string;
  source_sha256: string;
  permissions: string;
  parameters: string;
  warnings: string;
  created_by: number;
  approved_by: number | null;
  approved_at: string | null;
  revoked_at: string | null;
  created_at: string;
};

/** A run and all that it was resumed from (automation.md §5). */
type LineagesTable = {
  id: string;
  seed: string;
  epoch: number;
  epoch_started_at: string;
  /** Bytes of the answers of 4 KiB and more that are noted in this epoch. */
  journal_bytes: number;
};

type RunsTable = {
  id: Generated<number>;
  task_id: number;
  version_id: number;
  lineage_id: string;
  status: string;
  parameters: string;
  last_checkpoint: string | null;
  error_message: string | null;
  started_at: string;
  finished_at: string | null;
  attempt: number;
  dry_run: number;
  record: number;
  priority: number;
  executor: 'runner' | 'external';
  /** The claim in force; null: nobody drives the run. */
  claim_id: number | null;
  claimed_by: string | null;
  claimed_at: string | null;
  resumed_from_run_id: number | null;
  resumed_by_run_id: number | null;
  started_by: string;
  /** The admin whose act the run's writes are. */
  started_by_admin_id: number;
  /** 1 once a runner has sent an event or made a host call. */
  reported: number;
  end_reason: string | null;
  isolation: string;
  progress: string | null;
  result: string | null;
  log_lines: number;
  log_bytes: number;
  concurrency_key: string | null;
  concurrency_limit: number | null;
  row_version: Generated<number>;
};

type RunEventsTable = { run_id: number; seq: number; at: string; line: string };

type RunClaimsTable = {
  id: Generated<number>;
  run_id: number;
  lineage_id: string;
  attempt: number;
  token_hash: string;
  runner_name: string;
  claimed_at: string;
  /** Milliseconds since 1970 by the database's clock. */
  lease_until: number;
  confirmed: number;
  ended_at: string | null;
};

/** Result events already kept: once per epoch, content and occurrence. */
type RunResultsTable = { lineage_id: string; key: string };

type JournalTable = {
  lineage_id: string;
  epoch: number;
  /** `<fingerprint>/<occurrence>`. */
  key: string;
  claim_id: number;
  /** The latest claim that has asked for this row. */
  asked_by_claim_id: number;
  is_write: number;
  method: string;
  path: string;
  /** Request body of a write. */
  body: string | null;
  status: number;
  etag: string | null;
  location: string | null;
  /** Answer; in `answer_gzip` where over 64 KiB. */
  answer: string | null;
  answer_gzip: Buffer | null;
  at: string;
};

type RunEffectsTable = {
  id: Generated<number>;
  run_id: number;
  lineage_id: string;
  method: string;
  path: string;
  status: number;
  resource_type: string;
  resource_id: number | null;
  changes: string;
  at: string;
};

/** Permissions that a run's calls needed, for whoever narrows a version. */
type RunPermissionsTable = { run_id: number; permission: string };

type LineageMemoryTable = { lineage_id: string; name: string; value: string };

type RunnersTable = {
  name: string;
  version: string;
  isolation: string;
  slots: number;
  /** Milliseconds since 1970 by the database's clock. */
  last_seen: number;
};

/** How far an import has come, so that it goes on where it stopped. */
type ImportsTable = { source: string; state: string; updated_at: string };

export type Database = {
  admins: AdminsTable;
  tokens: TokensTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
  log_entries: LogEntriesTable;
  domain_events: DomainEventsTable;
  notifications: NotificationsTable;
  idempotency: IdempotencyTable;
  products: ProductsTable;
  variants: VariantsTable;
  stock_movements: StockMovementsTable;
  tax_rates: TaxRatesTable;
  customers: CustomersTable;
  addresses: AddressesTable;
  customer_notes: CustomerNotesTable;
  credit_buckets: CreditBucketsTable;
  credit_transactions: CreditTransactionsTable;
  order_statuses: OrderStatusesTable;
  orders: OrdersTable;
  order_items: OrderItemsTable;
  tasks: TasksTable;
  task_versions: TaskVersionsTable;
  lineages: LineagesTable;
  runs: RunsTable;
  run_events: RunEventsTable;
  run_claims: RunClaimsTable;
  run_results: RunResultsTable;
  journal: JournalTable;
  run_effects: RunEffectsTable;
  run_permissions: RunPermissionsTable;
  lineage_memory: LineageMemoryTable;
  runners: RunnersTable;
  imports: ImportsTable;
};

export type Row<T extends keyof Database> = Selectable<Database[T]>;
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;
