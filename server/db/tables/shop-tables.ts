import type { Generated } from 'kysely';

/** Admins, tokens, logs, events, products and customers, in the form that tables.ts describes. */

export type ShopTables = {
  admins: AdminsTable;
  tokens: TokensTable;
  one_time_links: OneTimeLinksTable;
  admin_invitations: AdminInvitationsTable;
  oauth_records: OauthRecordsTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
  log_entries: LogEntriesTable;
  domain_events: DomainEventsTable;
  notifications: NotificationsTable;
  notification_admins: NotificationAdminsTable;
  notification_reads: NotificationReadsTable;
  notification_preferences: NotificationPreferencesTable;
  idempotency: IdempotencyTable;
  products: ProductsTable;
  variants: VariantsTable;
  stock_movements: StockMovementsTable;
  customers: CustomersTable;
  addresses: AddressesTable;
  customer_notes: CustomerNotesTable;
  credit_buckets: CreditBucketsTable;
  credit_transactions: CreditTransactionsTable;
  customer_files: CustomerFilesTable;
  inquiries: InquiriesTable;
  imports: ImportsTable;
  change_numbers: ChangeNumbersTable;
};

type AdminsTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  email: string;
  email_folded: string;
  role: 'owner' | 'staff';
  /** JSON array; null for owners. Somebody with a role has the permissions of that role instead. */
  permissions: string | null;
  active: number;
  created_at: string;
  last_seen_at: string | null;
  row_version: Generated<number>;
  /** JSON, as in the contract's `ConsoleSettings`; null: nothing chosen. */
  console: Generated<string | null>;
  /** The named role of somebody of the staff; null: they have a list of their own. */
  role_id: Generated<number | null>;
};

type TokensTable = {
  id: Generated<number>;
  /** null: the token of a runner that the environment configures. */
  admin_id: number | null;
  name: string;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  token_prefix: string;
  /** JSON array; null: all permissions of the admin. */
  permissions: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
  /** The token that made the sign-in link from which this one comes; this one ends with it. */
  parent_token_id: Generated<number | null>;
  /** `session`: stands for a session of the console; what is sent are its access tokens (`session_tokens`). */
  kind: Generated<'personal' | 'agent' | 'session'>;
  /** Of an agent's token: whether texts about people are shown to it. */
  sees_personal_data: Generated<number>;
  /** Of an agent that got access by OAuth: its client. */
  oauth_client: Generated<string | null>;
  /** Of a sign-in by a link: what the device calls itself; null: an access token. */
  device: Generated<string | null>;
  /** 1: valid for one request, which sets `last_used_at`. */
  single_use: Generated<number>;
};

/** Those who were asked to join; accepted invitations are gone. */
type AdminInvitationsTable = {
  id: Generated<number>;
  name: string;
  email: string;
  email_folded: string;
  role: 'owner' | 'staff';
  role_id: number | null;
  /** JSON array. */
  permissions: string;
  invited_by: number;
  mailed: number;
  expires_at: string;
  created_at: string;
  row_version: Generated<number>;
};

/** What the authorization server keeps. `payload` is JSON and holds no secret: a code or token is found by its hash alone. */
type OauthRecordsTable = {
  id: Generated<number>;
  /** The kind of record, as oidc-provider calls it. */
  model: string;
  /** SHA-256 of model and key, hex. */
  key_hash: string;
  grant_id: string | null;
  agent_id: number | null;
  payload: string;
  /** When a code or refresh token was used, or a request answered. */
  consumed_at: string | null;
  expires_at: string;
};

type OneTimeLinksTable = {
  id: Generated<number>;
  /** The token that made the link; the link gives at most what this token may. null: the link belongs to an admin or an invitation. */
  token_id: number | null;
  /** SHA-256 of the code, hex. */
  code_hash: string;
  /** Path below /admin/api of the file that the link downloads; null: the link signs in. */
  target: string | null;
  expires_at: string;
  used_at: string | null;
  created_at: string;
  /** Who signs in by the link. */
  admin_id: Generated<number | null>;
  /** The invitation that the link accepts. */
  invitation_id: Generated<number | null>;
  /** The owner who made it for somebody else; it ends with that owner. null: a link by mail, or of a token. */
  made_by: Generated<number | null>;
  /** 1: whoever signs in by it may make a passkey, because a person vouched for it, or the machine itself made it (spec AU22). */
  enrols: Generated<number>;
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
  /** The customer whom the entry concerns, for entries about other records than customers, orders and inquiries. */
  customer_id: number | null;
  /** The order of a payment or a shipment. */
  order_id: number | null;
  /** The entry that this edit took back. */
  undo_of_entry_id: number | null;
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
  /** As in the audit log; null if the entry is not about a write. */
  resource_type: string | null;
  resource_id: number | null;
  customer_id: number | null;
  /** The admin who acted, their name at that time, and the run that acted for them; null: no admin did. */
  admin_id: Generated<number | null>;
  admin_name: Generated<string | null>;
  run_id: Generated<number | null>;
  created_at: string;
};

type DomainEventsTable = {
  id: Generated<number>;
  type: string;
  data: string;
  at: string;
  /** Lineage of the run that caused the event, so that triggers do not start its tasks again in a loop; null: no run did. */
  lineage_id: string | null;
  /** PostgreSQL: the number of the transaction that stored it. */
  stored_in: Generated<number>;
};

type NotificationsTable = {
  id: Generated<number>;
  type: string;
  severity: string;
  title: string;
  message: string;
  link: string | null;
  metadata: string | null;
  /** 0: only the admins in `notification_admins` see it. */
  for_all: Generated<number>;
  /** How many were told as this one. */
  count: Generated<number>;
  /** What the next notification must be about to join this one; null: none joins it, or none any more. */
  fold_key: Generated<string | null>;
  created_at: string;
};

type NotificationAdminsTable = { admin_id: number; notification_id: number };

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
  /** The number of the last change (`change-cursors.ts`). */
  changed_in: Generated<number>;
  /** Made of the variants (`sortValues` in the schema of products). */
  sort_price: Generated<number>;
  sort_stock: Generated<number>;
};

type VariantsTable = {
  id: Generated<number>;
  product_id: number;
  sku: string;
  sku_folded: string;
  label: string;
  label_folded: string;
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

type CustomersTable = {
  id: Generated<number>;
  name: string;
  name_folded: string;
  /** '' if there is none. */
  email: string;
  email_folded: string;
  /** `emailKey` of the email where it is not the folded email; the two together are unique. */
  email_key: Generated<string | null>;
  phone: string | null;
  /** `digitsOf` the phone number. */
  phone_digits: Generated<string | null>;
  registered: number;
  is_b2b: number;
  discount_group_id: number | null;
  marketing_opt_out: Generated<number>;
  register_ip: string;
  last_login_ip: string;
  anonymised_at: string | null;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
  /** The number of the last change (`change-cursors.ts`). */
  changed_in: Generated<number>;
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
  /** The admin who wrote it, or whose run did. */
  author_id: number | null;
  run_id: number | null;
  edited_at: string | null;
  row_version: Generated<number>;
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

/** How far an import has come, so that it can continue after an interruption. */
type ImportsTable = { source: string; state: string; updated_at: string };

type NotificationReadsTable = { admin_id: number; notification_id: number };

type NotificationPreferencesTable = { admin_id: number; event_type: string; email_enabled: number };

type InquiriesTable = {
  id: Generated<number>;
  customer_id: number | null;
  name: string;
  email: string;
  subject: string;
  body: string;
  answer: string | null;
  answered_at: string | null;
  /** `emailKey` of the email. */
  email_folded: string;
  /** Folded name, email and subject, one per line. */
  search_folded: string;
  created_at: string;
  updated_at: string;
  row_version: Generated<number>;
  /** The number of the last change (`change-cursors.ts`). */
  changed_in: Generated<number>;
};

type CustomerFilesTable = {
  id: Generated<number>;
  customer_id: number;
  storage_key: string;
  name: string;
  size_bytes: number;
  content_type: string;
  note: string | null;
  created_at: string;
};

/** One row: the sequence of the numbers of changes (`change-cursors.ts`). */
type ChangeNumbersTable = {
  era: string;
  /** The last number; SQLite alone counts here. */
  n: number;
  /** That number while a dry run uses `n`. */
  kept: number | null;
};
