CREATE TABLE access_grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  expires_at TEXT,
  granted_by INTEGER NOT NULL REFERENCES admins (id),
  note TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX access_grants_by_group ON access_grants (group_id);
CREATE INDEX access_grants_by_customer ON access_grants (customer_id);
CREATE TABLE access_group_files (
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  file_id INTEGER NOT NULL REFERENCES files (id),
  sort_order INTEGER NOT NULL,
  PRIMARY KEY (group_id, file_id)
) STRICT;
CREATE INDEX access_group_files_by_order ON access_group_files (group_id, sort_order, file_id);
CREATE INDEX access_group_files_by_file ON access_group_files (file_id);
CREATE TABLE access_group_members (
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  until TEXT NOT NULL,
  PRIMARY KEY (group_id, customer_id)
) STRICT;
CREATE INDEX access_group_members_by_end ON access_group_members (group_id, until);
CREATE INDEX access_group_members_by_customer ON access_group_members (customer_id);
CREATE TABLE access_group_pages (
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  sort_order INTEGER NOT NULL,
  PRIMARY KEY (group_id, page_id)
) STRICT;
CREATE INDEX access_group_pages_by_order ON access_group_pages (group_id, sort_order, page_id);
CREATE INDEX access_group_pages_by_page ON access_group_pages (page_id);
CREATE TABLE access_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX access_groups_by_name ON access_groups (name_folded, id);
CREATE TABLE addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  address_type TEXT NOT NULL,
  label TEXT NOT NULL,
  line1 TEXT NOT NULL,
  line2 TEXT,
  city TEXT NOT NULL,
  state TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  country TEXT NOT NULL,
  is_default INTEGER NOT NULL
) STRICT;
CREATE INDEX addresses_by_customer ON addresses (customer_id, id);
CREATE TABLE admin_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  role_id INTEGER REFERENCES roles (id),
  permissions TEXT NOT NULL,
  invited_by INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  mailed INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX admin_invitations_by_expiry ON admin_invitations (expires_at);
CREATE TABLE admins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  permissions TEXT,
  active INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT,
  row_version INTEGER NOT NULL DEFAULT 1,
  name_folded TEXT NOT NULL DEFAULT '',
  console TEXT,
  role_id INTEGER REFERENCES roles (id)
) STRICT;
CREATE TABLE answer_orders (
  lineage_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  names TEXT NOT NULL,
  PRIMARY KEY (lineage_id, epoch, claim_id, upto)
) STRICT;
CREATE TABLE artifacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lineage_id TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  storage_key TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  UNIQUE (lineage_id, name, content_type, sha256)
) STRICT;
CREATE TABLE assistant_days (
  day TEXT NOT NULL,
  admin_id INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (day, admin_id)
) STRICT;
CREATE TABLE assistant_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id INTEGER NOT NULL REFERENCES assistant_threads (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  rev INTEGER NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX assistant_items_by_rev ON assistant_items (thread_id, rev, id);
CREATE INDEX assistant_items_by_thread ON assistant_items (thread_id, id);
CREATE TABLE assistant_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  task_id INTEGER REFERENCES tasks (id),
  run_id INTEGER,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  error TEXT,
  draft TEXT,
  tokens_used INTEGER NOT NULL,
  sees_personal_data INTEGER NOT NULL,
  token_id INTEGER,
  shortened_to INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  may_read TEXT,
  size_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX assistant_threads_by_admin ON assistant_threads (admin_id, created_at, id);
CREATE INDEX assistant_threads_by_task ON assistant_threads (task_id);
CREATE INDEX assistant_threads_by_age ON assistant_threads (updated_at);
CREATE INDEX assistant_threads_working ON assistant_threads (id) WHERE state = 'working';
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id INTEGER,
  token_id INTEGER,
  run_id INTEGER,
  action TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id INTEGER,
  changes TEXT NOT NULL,
  request_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  customer_id INTEGER,
  order_id INTEGER,
  undo_of_entry_id INTEGER
) STRICT;
CREATE INDEX audit_log_by_resource ON audit_log (resource_type, resource_id, id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
CREATE INDEX audit_log_by_time ON audit_log (at, id);
CREATE INDEX audit_log_by_customer ON audit_log (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX audit_log_by_order ON audit_log (order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX audit_log_by_undo ON audit_log (undo_of_entry_id, id) WHERE undo_of_entry_id IS NOT NULL;
CREATE TABLE change_numbers (
  era TEXT NOT NULL,
  n INTEGER NOT NULL,
  kept INTEGER
) STRICT;
CREATE TABLE compiled_sources (
  version_id INTEGER PRIMARY KEY REFERENCES task_versions (id) ON DELETE CASCADE,
  format INTEGER NOT NULL,
  code TEXT NOT NULL
) STRICT;
CREATE TABLE credit_buckets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  remaining_credits INTEGER NOT NULL CHECK (remaining_credits >= 0),
  expires_at TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX credit_buckets_by_customer ON credit_buckets (customer_id, expires_at, id);
CREATE INDEX credit_buckets_expiring ON credit_buckets (expires_at, customer_id) WHERE remaining_credits > 0 AND expires_at IS NOT NULL;
CREATE TABLE credit_transactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  delta_credits INTEGER NOT NULL,
  credit_id INTEGER NOT NULL REFERENCES credit_buckets (id),
  reference TEXT,
  note TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX credit_transactions_by_customer ON credit_transactions (customer_id, id);
CREATE INDEX credit_transactions_by_bucket ON credit_transactions (credit_id);
CREATE TABLE customer_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  storage_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  note TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX customer_files_by_customer ON customer_files (customer_id, created_at, id);
CREATE TABLE customer_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  author TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  author_id INTEGER,
  run_id INTEGER,
  edited_at TEXT,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX customer_notes_by_customer ON customer_notes (customer_id, created_at, id);
CREATE TABLE customer_sales (
  customer_id INTEGER PRIMARY KEY,
  orders INTEGER NOT NULL,
  sales INTEGER NOT NULL,
  spent INTEGER NOT NULL
) STRICT;
CREATE INDEX customer_sales_by_spent ON customer_sales (spent DESC, customer_id, sales) WHERE sales > 0;
CREATE VIEW customer_sums AS SELECT customer_id, orders, sales, spent FROM customer_sales;
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  phone TEXT,
  registered INTEGER NOT NULL,
  is_b2b INTEGER NOT NULL,
  discount_group_id INTEGER,
  register_ip TEXT NOT NULL,
  last_login_ip TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  anonymised_at TEXT,
  marketing_opt_out INTEGER NOT NULL DEFAULT 0,
  changed_in INTEGER NOT NULL DEFAULT 0,
  email_key TEXT,
  phone_digits TEXT
) STRICT;
CREATE TRIGGER customers_numbered_insert AFTER INSERT ON customers BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE customers SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER customers_numbered_update AFTER UPDATE OF row_version, updated_at ON customers WHEN OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE customers SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE INDEX customers_by_email_sort ON customers (email_folded, id);
CREATE INDEX customers_by_name ON customers (name_folded, id);
CREATE INDEX customers_by_created ON customers (created_at, id);
CREATE INDEX customers_by_discount_group ON customers (discount_group_id) WHERE discount_group_id IS NOT NULL;
CREATE INDEX customers_by_text ON customers (name_folded, email_folded, registered, created_at);
CREATE INDEX customers_by_change ON customers (changed_in, id);
CREATE INDEX customers_by_updated ON customers (updated_at, id);
CREATE UNIQUE INDEX customers_by_email ON customers (coalesce(email_key, nullif(email_folded, '')));
CREATE INDEX customers_by_phone ON customers (phone_digits) WHERE phone_digits IS NOT NULL;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  acts TEXT NOT NULL,
  admin_id INTEGER,
  token_id INTEGER,
  way TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id INTEGER,
  payload TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  credential_id TEXT,
  public_key TEXT,
  authenticator_data TEXT,
  client_data TEXT,
  signature TEXT,
  origin TEXT,
  rp_id TEXT,
  chain TEXT
) STRICT;
CREATE INDEX decisions_by_subject ON decisions (subject_type, subject_id);
CREATE TABLE discount_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  percent_bps INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX discount_groups_by_name ON discount_groups (name_folded, id);
CREATE TABLE domain_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  at TEXT NOT NULL,
  lineage_id TEXT,
  stored_in INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX domain_events_by_time ON domain_events (at, id);
CREATE INDEX domain_events_by_type ON domain_events (type, at, id);
CREATE TABLE downloads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token TEXT NOT NULL UNIQUE,
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  order_item_id INTEGER NOT NULL REFERENCES order_items (id) ON DELETE CASCADE,
  product_id INTEGER NOT NULL,
  file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  expires_at TEXT,
  remaining INTEGER CHECK (remaining >= 0),
  revoked_at TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (order_item_id, file_id)
) STRICT;
CREATE INDEX downloads_by_order ON downloads (order_id, id);
CREATE INDEX downloads_by_file ON downloads (file_id);
CREATE TABLE effect_images (
  effect_id INTEGER PRIMARY KEY REFERENCES run_effects (id) ON DELETE CASCADE,
  images TEXT
) STRICT;
CREATE TABLE entitlements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  order_id INTEGER REFERENCES orders (id),
  product_id INTEGER,
  subscription_id INTEGER REFERENCES subscriptions (id),
  grant_id INTEGER REFERENCES access_grants (id) ON DELETE CASCADE,
  starts_at TEXT NOT NULL,
  expires_at TEXT,
  withheld TEXT
) STRICT;
CREATE INDEX entitlements_by_group ON entitlements (group_id, customer_id);
CREATE INDEX entitlements_by_customer ON entitlements (customer_id, group_id);
CREATE UNIQUE INDEX entitlements_by_order ON entitlements (order_id, product_id, group_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX entitlements_by_subscription ON entitlements (subscription_id, group_id) WHERE subscription_id IS NOT NULL;
CREATE UNIQUE INDEX entitlements_by_grant ON entitlements (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX entitlements_of_customer ON entitlements (customer_id, id);
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  original_filename TEXT NOT NULL,
  original_filename_folded TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  storage_key TEXT NOT NULL UNIQUE REFERENCES stored_objects (key),
  created_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  uploaded_by INTEGER
) STRICT;
CREATE INDEX files_by_created ON files (created_at, id);
CREATE TABLE gathered_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  start_id INTEGER NOT NULL REFERENCES gathered_starts (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  content TEXT NOT NULL,
  lineage_id TEXT,
  run_id INTEGER,
  depth INTEGER,
  permissions TEXT
) STRICT;
CREATE INDEX gathered_items_by_start ON gathered_items (start_id, position, id);
CREATE TABLE gathered_starts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  starter_id INTEGER NOT NULL,
  trigger_id INTEGER REFERENCES triggers (id) ON DELETE CASCADE,
  hook_id INTEGER REFERENCES hooks (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  how TEXT NOT NULL,
  gather_key TEXT NOT NULL,
  rate_key TEXT NOT NULL,
  options TEXT NOT NULL,
  gathering INTEGER NOT NULL,
  items INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  due_ms INTEGER,
  expires_ms INTEGER,
  queued_ms INTEGER,
  acts_for INTEGER,
  reads_files INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX gathered_starts_open ON gathered_starts (kind, starter_id, task_id, gather_key) WHERE gathering = 1;
CREATE INDEX gathered_starts_due ON gathered_starts (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX gathered_starts_queued ON gathered_starts (kind, starter_id, task_id, rate_key, queued_ms, id) WHERE queued_ms IS NOT NULL;
CREATE INDEX gathered_starts_by_starter ON gathered_starts (kind, starter_id, task_id, due_ms, items);
CREATE INDEX gathered_starts_by_task ON gathered_starts (task_id, due_ms, id);
CREATE INDEX gathered_starts_by_trigger ON gathered_starts (trigger_id) WHERE trigger_id IS NOT NULL;
CREATE INDEX gathered_starts_by_hook ON gathered_starts (hook_id) WHERE hook_id IS NOT NULL;
CREATE TABLE gestures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX gestures_by_admin ON gestures (admin_id);
CREATE INDEX gestures_by_expiry ON gestures (expires_at);
CREATE TABLE hook_calls (
  key TEXT PRIMARY KEY,
  hook_id INTEGER NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
  run_id INTEGER,
  at TEXT NOT NULL,
  start_id INTEGER
) STRICT;
CREATE INDEX hook_calls_by_hook ON hook_calls (hook_id);
CREATE INDEX hook_calls_by_time ON hook_calls (at);
CREATE INDEX hook_calls_by_start ON hook_calls (start_id) WHERE start_id IS NOT NULL;
CREATE TABLE hooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  name TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  parameter TEXT,
  parameters TEXT NOT NULL,
  verify TEXT,
  verify_secret TEXT,
  idempotency_header TEXT,
  wait INTEGER NOT NULL,
  rate_per_minute INTEGER NOT NULL,
  secret_hash TEXT NOT NULL,
  last_error TEXT,
  created_by INTEGER NOT NULL,
  acts_for INTEGER NOT NULL,
  reads_files INTEGER NOT NULL,
  permissions TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  verify_key_id TEXT,
  repeats TEXT NOT NULL DEFAULT 'each',
  raw_body INTEGER NOT NULL DEFAULT 0,
  start_options TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX hooks_by_task ON hooks (task_id, id);
CREATE TABLE idempotency (
  scope TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE TABLE imports (
  source TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE inquiries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER REFERENCES customers (id),
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  answer TEXT,
  answered_at TEXT,
  search_folded TEXT NOT NULL,
  created_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  email_folded TEXT NOT NULL DEFAULT '',
  updated_at TEXT NOT NULL DEFAULT '',
  changed_in INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TRIGGER inquiries_numbered_insert AFTER INSERT ON inquiries BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE inquiries SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER inquiries_numbered_update AFTER UPDATE OF row_version, updated_at ON inquiries WHEN OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE inquiries SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE INDEX inquiries_by_creation ON inquiries (created_at, id);
CREATE INDEX inquiries_unanswered ON inquiries (created_at, id) WHERE answered_at IS NULL;
CREATE INDEX inquiries_by_email ON inquiries (email_folded);
CREATE INDEX inquiries_by_change ON inquiries (changed_in, id);
CREATE INDEX inquiries_by_updated ON inquiries (updated_at, id);
CREATE INDEX inquiries_by_customer ON inquiries (customer_id, created_at, id);
CREATE TABLE journal (
  lineage_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  key TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  asked_by_claim_id INTEGER NOT NULL,
  is_write INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT,
  status INTEGER NOT NULL,
  etag TEXT,
  location TEXT,
  answer TEXT,
  answer_gzip BLOB,
  at TEXT NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  passing INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (lineage_id, epoch, key)
) STRICT;
CREATE INDEX journal_writes ON journal (lineage_id, epoch, method, path) WHERE is_write = 1;
CREATE TABLE label_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shipment_id INTEGER NOT NULL,
  order_id INTEGER NOT NULL,
  provider TEXT NOT NULL,
  provider_key TEXT NOT NULL,
  provider_shipment_id TEXT,
  courier_name TEXT,
  tracking_number TEXT,
  perhaps_until TEXT,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  last_error TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX label_refunds_due ON label_refunds (next_at) WHERE status = 'pending';
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_by_holder ON leases (holder);
CREATE TABLE lineage_causes (
  lineage_id TEXT NOT NULL REFERENCES lineages (id) ON DELETE CASCADE,
  task_id INTEGER NOT NULL,
  PRIMARY KEY (lineage_id, task_id)
) STRICT;
CREATE TABLE lineage_checkpoints (
  lineage_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  effects_upto INTEGER NOT NULL,
  planned_upto INTEGER NOT NULL,
  PRIMARY KEY (lineage_id, epoch)
) STRICT;
CREATE TABLE lineage_memory (
  lineage_id TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  claim_id INTEGER NOT NULL DEFAULT 0,
  asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
  made TEXT,
  epoch INTEGER,
  PRIMARY KEY (lineage_id, name)
) STRICT;
CREATE TABLE lineages (
  id TEXT PRIMARY KEY,
  seed TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  epoch_started_at TEXT NOT NULL,
  journal_bytes INTEGER NOT NULL,
  carried_out_again INTEGER NOT NULL DEFAULT 0,
  llm_tokens INTEGER NOT NULL DEFAULT 0,
  memory_bytes INTEGER NOT NULL DEFAULT 0,
  host_calls INTEGER NOT NULL DEFAULT 0,
  writes INTEGER NOT NULL DEFAULT 0,
  permissions TEXT,
  mails INTEGER NOT NULL DEFAULT 0,
  notifications INTEGER NOT NULL DEFAULT 0,
  called_ms INTEGER NOT NULL DEFAULT 0,
  starts INTEGER NOT NULL DEFAULT 0,
  depth INTEGER NOT NULL DEFAULT 0,
  root_id TEXT,
  shop TEXT,
  began_at TEXT
) STRICT;
CREATE INDEX lineages_kept ON lineages (epoch_started_at) WHERE seed <> '';
CREATE TABLE log_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  summary TEXT NOT NULL,
  detail TEXT,
  created_at TEXT NOT NULL,
  resource_type TEXT,
  resource_id INTEGER,
  customer_id INTEGER,
  admin_id INTEGER,
  admin_name TEXT,
  run_id INTEGER
) STRICT;
CREATE INDEX log_entries_by_source ON log_entries (source, created_at, id);
CREATE INDEX log_entries_by_time ON log_entries (created_at, id);
CREATE INDEX log_entries_by_resource ON log_entries (resource_type, resource_id) WHERE resource_id IS NOT NULL;
CREATE INDEX log_entries_by_customer ON log_entries (customer_id) WHERE customer_id IS NOT NULL;
CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  template TEXT NOT NULL,
  locale TEXT NOT NULL,
  to_name TEXT NOT NULL,
  to_address TEXT NOT NULL,
  subject TEXT NOT NULL,
  text_body TEXT NOT NULL,
  html_body TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  lease TEXT,
  message_id TEXT,
  last_error TEXT,
  untold INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  resource_type TEXT,
  resource_id INTEGER,
  request_id TEXT,
  reply_to TEXT,
  unsubscribe_url TEXT,
  task_id INTEGER,
  run_id INTEGER,
  fold_key TEXT,
  folded INTEGER NOT NULL DEFAULT 1,
  planned_ms INTEGER,
  customer_id INTEGER
) STRICT;
CREATE INDEX mails_due ON mails (status, due_ms, id);
CREATE INDEX mails_untold ON mails (id) WHERE untold = 1;
CREATE INDEX mails_by_creation ON mails (created_at, id);
CREATE INDEX mails_by_status ON mails (status, created_at, id);
CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX mails_by_fold ON mails (fold_key, id) WHERE fold_key IS NOT NULL;
CREATE INDEX mails_by_resource ON mails (resource_type, resource_id, id) WHERE resource_id IS NOT NULL;
CREATE INDEX mails_by_customer ON mails (customer_id, id) WHERE customer_id IS NOT NULL;
CREATE TABLE media (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  filename TEXT NOT NULL,
  filename_folded TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  alt TEXT NOT NULL,
  alt_folded TEXT NOT NULL,
  storage_key TEXT NOT NULL UNIQUE REFERENCES stored_objects (key),
  created_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX media_by_created ON media (created_at, id);
CREATE TABLE migrations (
  name TEXT PRIMARY KEY
);
CREATE TABLE notification_admins (
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  PRIMARY KEY (admin_id, notification_id)
) STRICT;
CREATE INDEX notification_admins_by_notification ON notification_admins (notification_id, admin_id);
CREATE TABLE notification_preferences (
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  event_type TEXT NOT NULL,
  email_enabled INTEGER NOT NULL,
  PRIMARY KEY (admin_id, event_type)
) STRICT;
CREATE TABLE notification_reads (
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
  PRIMARY KEY (admin_id, notification_id)
) STRICT;
CREATE INDEX notification_reads_by_notification ON notification_reads (notification_id);
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  message TEXT NOT NULL,
  metadata TEXT,
  created_at TEXT NOT NULL,
  link TEXT,
  for_all INTEGER NOT NULL DEFAULT 1,
  count INTEGER NOT NULL DEFAULT 1,
  fold_key TEXT
) STRICT;
CREATE INDEX notifications_by_type ON notifications (type, created_at);
CREATE INDEX notifications_by_time ON notifications (created_at, id);
CREATE INDEX notifications_for_some ON notifications (id) WHERE for_all = 0;
CREATE UNIQUE INDEX notifications_growing ON notifications (fold_key) WHERE fold_key IS NOT NULL;
CREATE TABLE oauth_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  grant_id TEXT,
  agent_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  consumed_at TEXT,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_agent ON oauth_records (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX oauth_records_by_expiry ON oauth_records (expires_at);
CREATE TABLE one_time_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL UNIQUE,
  target TEXT,
  expires_at TEXT NOT NULL,
  used_at TEXT,
  created_at TEXT NOT NULL,
  admin_id INTEGER REFERENCES admins (id) ON DELETE CASCADE,
  invitation_id INTEGER REFERENCES admin_invitations (id) ON DELETE CASCADE,
  made_by INTEGER REFERENCES admins (id) ON DELETE CASCADE,
  enrols INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX one_time_links_by_token ON one_time_links (token_id);
CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at);
CREATE INDEX one_time_links_by_admin ON one_time_links (admin_id) WHERE admin_id IS NOT NULL;
CREATE INDEX one_time_links_by_invitation ON one_time_links (invitation_id) WHERE invitation_id IS NOT NULL;
CREATE TABLE order_buyers (
  id INTEGER PRIMARY KEY,
  email_folded TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  phone_digits TEXT NOT NULL,
  orders INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  UNIQUE (email_folded, name_folded, phone_digits)
) STRICT;
CREATE TRIGGER order_buyers_delete AFTER DELETE ON order_buyers BEGIN DELETE FROM order_buyers_trigrams WHERE rowid = OLD.id; END;
CREATE TRIGGER order_buyers_insert AFTER INSERT ON order_buyers BEGIN INSERT INTO order_buyers_trigrams (rowid, words) SELECT id, name_folded || char(10) || email_folded || char(10) || phone_digits FROM order_buyers WHERE id = NEW.id; END;
CREATE VIRTUAL TABLE order_buyers_trigrams USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');
CREATE TABLE order_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL,
  author TEXT NOT NULL,
  run_id INTEGER,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  edited_at TEXT,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX order_comments_by_order ON order_comments (order_id, created_at, id);
CREATE TABLE order_counts (
  day TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  status TEXT NOT NULL,
  payment_status TEXT NOT NULL,
  dated INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (day, is_test, status, payment_status, dated)
) STRICT, WITHOUT ROWID;
CREATE TABLE order_edits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  edited_at TEXT NOT NULL,
  edited_by_shop_owner_id INTEGER NOT NULL REFERENCES admins (id),
  edit_source TEXT NOT NULL,
  summary TEXT NOT NULL,
  total_before_cents INTEGER NOT NULL,
  total_after_cents INTEGER NOT NULL,
  payment_delta_cents INTEGER NOT NULL,
  payment_adjustment_note TEXT NOT NULL,
  customer_notified INTEGER NOT NULL,
  stock_override_used INTEGER NOT NULL
) STRICT;
CREATE INDEX order_edits_by_order ON order_edits (order_id, id);
CREATE TABLE order_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  variant_id INTEGER NOT NULL REFERENCES variants (id),
  product_name TEXT NOT NULL,
  product_sku TEXT NOT NULL,
  variant_label TEXT NOT NULL,
  unit_price INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  tax_rate INTEGER NOT NULL,
  tax_amount INTEGER NOT NULL,
  custom_fields TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;
CREATE TRIGGER order_items_summed_delete AFTER DELETE ON order_items BEGIN INSERT INTO product_sales (product_id, quantity, revenue) SELECT OLD.product_id, -OLD.quantity, -(OLD.subtotal - OLD.discount_amount) FROM orders WHERE orders.id = OLD.order_id AND (orders.is_test = 0 AND orders.status <> 'cancelled' AND orders.payment_status = 'paid') ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity, revenue = revenue + excluded.revenue; END;
CREATE TRIGGER order_items_summed_insert AFTER INSERT ON order_items BEGIN INSERT INTO product_sales (product_id, quantity, revenue) SELECT NEW.product_id, NEW.quantity, (NEW.subtotal - NEW.discount_amount) FROM orders WHERE orders.id = NEW.order_id AND (orders.is_test = 0 AND orders.status <> 'cancelled' AND orders.payment_status = 'paid') ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity, revenue = revenue + excluded.revenue; END;
CREATE TRIGGER order_items_summed_update AFTER UPDATE OF order_id, product_id, quantity, subtotal, discount_amount ON order_items BEGIN INSERT INTO product_sales (product_id, quantity, revenue) SELECT OLD.product_id, -OLD.quantity, -(OLD.subtotal - OLD.discount_amount) FROM orders WHERE orders.id = OLD.order_id AND (orders.is_test = 0 AND orders.status <> 'cancelled' AND orders.payment_status = 'paid') ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity, revenue = revenue + excluded.revenue; INSERT INTO product_sales (product_id, quantity, revenue) SELECT NEW.product_id, NEW.quantity, (NEW.subtotal - NEW.discount_amount) FROM orders WHERE orders.id = NEW.order_id AND (orders.is_test = 0 AND orders.status <> 'cancelled' AND orders.payment_status = 'paid') ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity, revenue = revenue + excluded.revenue; END;
CREATE INDEX order_items_by_order ON order_items (order_id, position, id);
CREATE INDEX order_items_by_product ON order_items (product_id);
CREATE INDEX order_items_by_variant ON order_items (variant_id);
CREATE TABLE order_part_counts (
  part TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  status TEXT NOT NULL,
  payment_status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (part, is_test, status, payment_status)
) STRICT, WITHOUT ROWID;
CREATE TABLE order_quarters (
  quarter TEXT NOT NULL PRIMARY KEY,
  orders INTEGER NOT NULL,
  revenue INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE order_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL UNIQUE,
  color TEXT NOT NULL,
  sort_order INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX order_statuses_by_order ON order_statuses (sort_order, id);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  customer_id INTEGER REFERENCES customers (id),
  status TEXT NOT NULL,
  payment_status TEXT NOT NULL,
  customer_name TEXT NOT NULL,
  customer_name_folded TEXT NOT NULL,
  customer_email TEXT NOT NULL,
  customer_email_folded TEXT NOT NULL,
  customer_phone TEXT NOT NULL,
  shipping_line1 TEXT NOT NULL,
  shipping_line2 TEXT NOT NULL,
  shipping_city TEXT NOT NULL,
  shipping_state TEXT NOT NULL,
  shipping_postal_code TEXT NOT NULL,
  shipping_country TEXT NOT NULL,
  billing_address TEXT,
  notes TEXT NOT NULL,
  internal_notes TEXT,
  currency TEXT NOT NULL,
  prices_include_tax INTEGER NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  discount_reason TEXT,
  voucher_code TEXT,
  tax_amount INTEGER NOT NULL,
  shipping_method TEXT NOT NULL,
  shipping_cost INTEGER NOT NULL,
  total INTEGER NOT NULL,
  payment_provider TEXT NOT NULL,
  pickup_location_id INTEGER,
  pickup_location_name TEXT,
  tracking_number TEXT NOT NULL,
  ip_address TEXT NOT NULL,
  invoice_url TEXT,
  delivery_date TEXT,
  is_test INTEGER NOT NULL,
  internal_status_id INTEGER REFERENCES order_statuses (id),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  voucher_terms TEXT,
  voucher_discount INTEGER NOT NULL DEFAULT 0,
  manual_discount INTEGER,
  waived_shipping INTEGER NOT NULL DEFAULT 0,
  shipping_tax_rate INTEGER NOT NULL DEFAULT 0,
  first_paid_at TEXT,
  base_payment_status TEXT,
  paid_amount INTEGER,
  changed_in INTEGER NOT NULL DEFAULT 0,
  phone_digits TEXT
) STRICT;
CREATE TRIGGER order_parts_delete AFTER DELETE ON orders BEGIN UPDATE order_part_counts SET n = n - 1 WHERE part IN ('I' || coalesce(CAST(OLD.internal_status_id AS TEXT), ''), 'D' || OLD.delivery_date, 'P' || CASE WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) > OLD.total THEN 'overpaid' WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) = OLD.total THEN 'paid' WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) > 0 THEN 'partial' ELSE 'unpaid' END) AND (is_test, status, payment_status) = (OLD.is_test, OLD.status, OLD.payment_status); END;
CREATE TRIGGER order_parts_insert AFTER INSERT ON orders BEGIN INSERT INTO order_part_counts (part, is_test, status, payment_status, n) SELECT part, NEW.is_test, NEW.status, NEW.payment_status, 1 FROM (SELECT 'I' || coalesce(CAST(NEW.internal_status_id AS TEXT), '') AS part UNION ALL SELECT 'D' || NEW.delivery_date AS part UNION ALL SELECT 'P' || CASE WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) > NEW.total THEN 'overpaid' WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) = NEW.total THEN 'paid' WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) > 0 THEN 'partial' ELSE 'unpaid' END AS part) WHERE part IS NOT NULL ON CONFLICT (part, is_test, status, payment_status) DO UPDATE SET n = n + 1; END;
CREATE TRIGGER order_parts_update AFTER UPDATE OF is_test, status, payment_status, internal_status_id, delivery_date, total, paid_amount ON orders WHEN (OLD.is_test, OLD.status, OLD.payment_status, OLD.internal_status_id, OLD.delivery_date, OLD.total, OLD.paid_amount) IS NOT (NEW.is_test, NEW.status, NEW.payment_status, NEW.internal_status_id, NEW.delivery_date, NEW.total, NEW.paid_amount) BEGIN UPDATE order_part_counts SET n = n - 1 WHERE part IN ('I' || coalesce(CAST(OLD.internal_status_id AS TEXT), ''), 'D' || OLD.delivery_date, 'P' || CASE WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) > OLD.total THEN 'overpaid' WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) = OLD.total THEN 'paid' WHEN coalesce(OLD.paid_amount, CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) > 0 THEN 'partial' ELSE 'unpaid' END) AND (is_test, status, payment_status) = (OLD.is_test, OLD.status, OLD.payment_status); INSERT INTO order_part_counts (part, is_test, status, payment_status, n) SELECT part, NEW.is_test, NEW.status, NEW.payment_status, 1 FROM (SELECT 'I' || coalesce(CAST(NEW.internal_status_id AS TEXT), '') AS part UNION ALL SELECT 'D' || NEW.delivery_date AS part UNION ALL SELECT 'P' || CASE WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) > NEW.total THEN 'overpaid' WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) = NEW.total THEN 'paid' WHEN coalesce(NEW.paid_amount, CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) > 0 THEN 'partial' ELSE 'unpaid' END AS part) WHERE part IS NOT NULL ON CONFLICT (part, is_test, status, payment_status) DO UPDATE SET n = n + 1; END;
CREATE TRIGGER orders_buyers_delete AFTER DELETE ON orders BEGIN UPDATE order_buyers SET orders = orders - (1 - OLD.is_test), tests = tests - OLD.is_test WHERE (email_folded, name_folded, phone_digits) = (OLD.customer_email_folded, OLD.customer_name_folded, coalesce(OLD.phone_digits, '')); DELETE FROM order_buyers WHERE (email_folded, name_folded, phone_digits) = (OLD.customer_email_folded, OLD.customer_name_folded, coalesce(OLD.phone_digits, '')) AND orders = 0 AND tests = 0; END;
CREATE TRIGGER orders_buyers_insert AFTER INSERT ON orders BEGIN INSERT INTO order_buyers (email_folded, name_folded, phone_digits, orders, tests) VALUES (NEW.customer_email_folded, NEW.customer_name_folded, coalesce(NEW.phone_digits, ''), 1 - NEW.is_test, NEW.is_test) ON CONFLICT (email_folded, name_folded, phone_digits) DO UPDATE SET orders = orders + excluded.orders, tests = tests + excluded.tests; END;
CREATE TRIGGER orders_buyers_update AFTER UPDATE OF is_test, customer_name_folded, customer_email_folded, phone_digits ON orders WHEN (OLD.is_test, OLD.customer_name_folded, OLD.customer_email_folded, OLD.phone_digits) IS NOT (NEW.is_test, NEW.customer_name_folded, NEW.customer_email_folded, NEW.phone_digits) BEGIN INSERT INTO order_buyers (email_folded, name_folded, phone_digits, orders, tests) VALUES (NEW.customer_email_folded, NEW.customer_name_folded, coalesce(NEW.phone_digits, ''), 1 - NEW.is_test, NEW.is_test) ON CONFLICT (email_folded, name_folded, phone_digits) DO UPDATE SET orders = orders + excluded.orders, tests = tests + excluded.tests; UPDATE order_buyers SET orders = orders - (1 - OLD.is_test), tests = tests - OLD.is_test WHERE (email_folded, name_folded, phone_digits) = (OLD.customer_email_folded, OLD.customer_name_folded, coalesce(OLD.phone_digits, '')); DELETE FROM order_buyers WHERE (email_folded, name_folded, phone_digits) = (OLD.customer_email_folded, OLD.customer_name_folded, coalesce(OLD.phone_digits, '')) AND orders = 0 AND tests = 0; END;
CREATE TRIGGER orders_counted_delete AFTER DELETE ON orders BEGIN UPDATE order_counts SET n = n - 1 WHERE day IN ('', 'M' || substr(OLD.created_at, 1, 7), substr(OLD.created_at, 1, 10)) AND (is_test, status, payment_status, dated) = (OLD.is_test, OLD.status, OLD.payment_status, OLD.delivery_date IS NOT NULL); END;
CREATE TRIGGER orders_counted_insert AFTER INSERT ON orders BEGIN INSERT INTO order_counts (day, is_test, status, payment_status, dated, n) VALUES ('', NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1), ('M' || substr(NEW.created_at, 1, 7), NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1), (substr(NEW.created_at, 1, 10), NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1) ON CONFLICT (day, is_test, status, payment_status, dated) DO UPDATE SET n = n + 1; END;
CREATE TRIGGER orders_counted_update AFTER UPDATE OF is_test, status, payment_status, delivery_date, created_at ON orders WHEN (OLD.is_test, OLD.status, OLD.payment_status, OLD.delivery_date IS NOT NULL, substr(OLD.created_at, 1, 10)) IS NOT (NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, substr(NEW.created_at, 1, 10)) BEGIN UPDATE order_counts SET n = n - 1 WHERE day IN ('', 'M' || substr(OLD.created_at, 1, 7), substr(OLD.created_at, 1, 10)) AND (is_test, status, payment_status, dated) = (OLD.is_test, OLD.status, OLD.payment_status, OLD.delivery_date IS NOT NULL); INSERT INTO order_counts (day, is_test, status, payment_status, dated, n) VALUES ('', NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1), ('M' || substr(NEW.created_at, 1, 7), NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1), (substr(NEW.created_at, 1, 10), NEW.is_test, NEW.status, NEW.payment_status, NEW.delivery_date IS NOT NULL, 1) ON CONFLICT (day, is_test, status, payment_status, dated) DO UPDATE SET n = n + 1; END;
CREATE TRIGGER orders_numbered_insert AFTER INSERT ON orders BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE orders SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER orders_numbered_update AFTER UPDATE OF row_version, updated_at ON orders WHEN OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE orders SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER orders_summed_delete AFTER DELETE ON orders BEGIN INSERT INTO order_quarters (quarter, orders, revenue) SELECT quarter, -1, -(CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) FROM (SELECT '' AS quarter UNION ALL SELECT substr(OLD.created_at, 1, 14) || substr('00153045', 1 + CAST(substr(OLD.created_at, 15, 2) AS INTEGER) / 15 * 2, 2)) WHERE OLD.is_test = 0 AND OLD.status <> 'cancelled' ON CONFLICT (quarter) DO UPDATE SET orders = orders + excluded.orders, revenue = revenue + excluded.revenue; INSERT INTO customer_sales (customer_id, orders, sales, spent) SELECT OLD.customer_id, -1, -(OLD.is_test = 0 AND OLD.status <> 'cancelled' AND OLD.payment_status = 'paid'), -(CASE WHEN (OLD.is_test = 0 AND OLD.status <> 'cancelled' AND OLD.payment_status = 'paid') THEN OLD.total ELSE 0 END) WHERE OLD.is_test = 0 AND OLD.customer_id IS NOT NULL ON CONFLICT (customer_id) DO UPDATE SET orders = orders + excluded.orders, sales = sales + excluded.sales, spent = spent + excluded.spent; END;
CREATE TRIGGER orders_summed_insert AFTER INSERT ON orders BEGIN INSERT INTO order_quarters (quarter, orders, revenue) SELECT quarter, 1, (CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) FROM (SELECT '' AS quarter UNION ALL SELECT substr(NEW.created_at, 1, 14) || substr('00153045', 1 + CAST(substr(NEW.created_at, 15, 2) AS INTEGER) / 15 * 2, 2)) WHERE NEW.is_test = 0 AND NEW.status <> 'cancelled' ON CONFLICT (quarter) DO UPDATE SET orders = orders + excluded.orders, revenue = revenue + excluded.revenue; INSERT INTO customer_sales (customer_id, orders, sales, spent) SELECT NEW.customer_id, 1, (NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid'), (CASE WHEN (NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid') THEN NEW.total ELSE 0 END) WHERE NEW.is_test = 0 AND NEW.customer_id IS NOT NULL ON CONFLICT (customer_id) DO UPDATE SET orders = orders + excluded.orders, sales = sales + excluded.sales, spent = spent + excluded.spent; END;
CREATE TRIGGER orders_summed_sale AFTER UPDATE OF is_test, status, payment_status ON orders WHEN (OLD.is_test = 0 AND OLD.status <> 'cancelled' AND OLD.payment_status = 'paid') <> (NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid') BEGIN INSERT INTO product_sales (product_id, quantity, revenue) SELECT product_id, sum(quantity) * ((NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid') * 2 - 1), sum(order_items.subtotal - order_items.discount_amount) * ((NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid') * 2 - 1) FROM order_items WHERE order_id = NEW.id GROUP BY product_id ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity, revenue = revenue + excluded.revenue; END;
CREATE TRIGGER orders_summed_update AFTER UPDATE OF is_test, status, payment_status, total, created_at, customer_id ON orders WHEN (OLD.is_test, OLD.status, OLD.payment_status, OLD.total, OLD.created_at, OLD.customer_id) IS NOT (NEW.is_test, NEW.status, NEW.payment_status, NEW.total, NEW.created_at, NEW.customer_id) BEGIN INSERT INTO order_quarters (quarter, orders, revenue) SELECT quarter, -1, -(CASE WHEN OLD.payment_status = 'paid' THEN OLD.total ELSE 0 END) FROM (SELECT '' AS quarter UNION ALL SELECT substr(OLD.created_at, 1, 14) || substr('00153045', 1 + CAST(substr(OLD.created_at, 15, 2) AS INTEGER) / 15 * 2, 2)) WHERE OLD.is_test = 0 AND OLD.status <> 'cancelled' ON CONFLICT (quarter) DO UPDATE SET orders = orders + excluded.orders, revenue = revenue + excluded.revenue; INSERT INTO customer_sales (customer_id, orders, sales, spent) SELECT OLD.customer_id, -1, -(OLD.is_test = 0 AND OLD.status <> 'cancelled' AND OLD.payment_status = 'paid'), -(CASE WHEN (OLD.is_test = 0 AND OLD.status <> 'cancelled' AND OLD.payment_status = 'paid') THEN OLD.total ELSE 0 END) WHERE OLD.is_test = 0 AND OLD.customer_id IS NOT NULL ON CONFLICT (customer_id) DO UPDATE SET orders = orders + excluded.orders, sales = sales + excluded.sales, spent = spent + excluded.spent; INSERT INTO order_quarters (quarter, orders, revenue) SELECT quarter, 1, (CASE WHEN NEW.payment_status = 'paid' THEN NEW.total ELSE 0 END) FROM (SELECT '' AS quarter UNION ALL SELECT substr(NEW.created_at, 1, 14) || substr('00153045', 1 + CAST(substr(NEW.created_at, 15, 2) AS INTEGER) / 15 * 2, 2)) WHERE NEW.is_test = 0 AND NEW.status <> 'cancelled' ON CONFLICT (quarter) DO UPDATE SET orders = orders + excluded.orders, revenue = revenue + excluded.revenue; INSERT INTO customer_sales (customer_id, orders, sales, spent) SELECT NEW.customer_id, 1, (NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid'), (CASE WHEN (NEW.is_test = 0 AND NEW.status <> 'cancelled' AND NEW.payment_status = 'paid') THEN NEW.total ELSE 0 END) WHERE NEW.is_test = 0 AND NEW.customer_id IS NOT NULL ON CONFLICT (customer_id) DO UPDATE SET orders = orders + excluded.orders, sales = sales + excluded.sales, spent = spent + excluded.spent; END;
CREATE INDEX orders_by_pickup_location ON orders (pickup_location_id) WHERE pickup_location_id IS NOT NULL;
CREATE INDEX orders_unsent ON orders (coalesce(first_paid_at, created_at), status, is_test, payment_status) WHERE is_test = 0 AND status IN ('pending', 'processing') AND payment_status = 'paid';
CREATE INDEX orders_late ON orders (delivery_date, payment_status, first_paid_at, created_at, status, is_test) WHERE is_test = 0 AND status IN ('pending', 'processing') AND delivery_date IS NOT NULL;
CREATE INDEX orders_by_created ON orders (is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_status ON orders (is_test, status, created_at, id, payment_status, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_payment_status ON orders (is_test, payment_status, created_at, id, status, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_total ON orders (is_test, total, id, status, payment_status, created_at, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_customer_name ON orders (is_test, customer_name_folded, id, status, payment_status, total, created_at, customer_email_folded, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_status_name ON orders (is_test, status, id, payment_status, total, created_at, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_delivery_date ON orders (is_test, delivery_date, total, status, payment_status, created_at, id, internal_status_id, paid_amount);
CREATE INDEX orders_by_customer ON orders (customer_id, is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_internal_status ON orders (internal_status_id, is_test, created_at, id, status, payment_status, total, delivery_date, paid_amount);
CREATE INDEX orders_by_payment_progress ON orders (is_test, (CASE WHEN coalesce(paid_amount, CASE WHEN payment_status = 'paid' THEN total ELSE 0 END) > total THEN 'overpaid' WHEN coalesce(paid_amount, CASE WHEN payment_status = 'paid' THEN total ELSE 0 END) = total THEN 'paid' WHEN coalesce(paid_amount, CASE WHEN payment_status = 'paid' THEN total ELSE 0 END) > 0 THEN 'partial' ELSE 'unpaid' END), created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_change ON orders (changed_in, id);
CREATE INDEX orders_by_updated ON orders (is_test, updated_at, id, status, payment_status, created_at, total, delivery_date, internal_status_id, paid_amount);
CREATE INDEX orders_by_buyer ON orders (customer_email_folded, customer_name_folded, is_test, created_at, id, status, payment_status, total, delivery_date, internal_status_id, paid_amount, phone_digits);
CREATE INDEX orders_to_send ON orders (is_test, created_at, id, status, payment_status, first_paid_at, total, delivery_date, internal_status_id, paid_amount) WHERE status IN ('pending', 'processing');
CREATE TABLE page_drafts (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  theme_id INTEGER NOT NULL REFERENCES themes (id) ON DELETE CASCADE,
  changes TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (theme_id, page_id)
) STRICT;
CREATE INDEX page_drafts_by_page ON page_drafts (page_id);
CREATE TABLE page_translations (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  field TEXT NOT NULL,
  locale TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (page_id, field, locale)
) STRICT;
CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  slug_folded TEXT NOT NULL,
  title TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  published INTEGER NOT NULL,
  meta_title TEXT NOT NULL,
  meta_description TEXT NOT NULL,
  og_image_media_id INTEGER REFERENCES media (id),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX pages_by_title ON pages (title_folded, id);
CREATE INDEX pages_by_og_image ON pages (og_image_media_id);
CREATE TABLE passkey_challenges (
  challenge_hash TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL,
  admin_id INTEGER REFERENCES admins (id) ON DELETE CASCADE,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX passkey_challenges_by_admin ON passkey_challenges (admin_id);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
CREATE TABLE passkey_codes (
  code_hash TEXT NOT NULL PRIMARY KEY,
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX passkey_codes_by_admin ON passkey_codes (admin_id);
CREATE INDEX passkey_codes_by_expiry ON passkey_codes (expires_at);
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  rp_id TEXT NOT NULL,
  backup_eligible INTEGER NOT NULL,
  backed_up INTEGER NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  deleted_at TEXT,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX passkeys_by_admin ON passkeys (admin_id);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid INTEGER NOT NULL,
  paid_at TEXT,
  note TEXT,
  sort_order INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX payments_by_order ON payments (order_id, sort_order, id);
CREATE INDEX payments_by_creation ON payments (order_id, id);
CREATE TABLE pickup_locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  line1 TEXT NOT NULL,
  line2 TEXT NOT NULL,
  city TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  country TEXT NOT NULL,
  opening_hours TEXT NOT NULL,
  active INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX pickup_locations_by_order ON pickup_locations (sort_order, id);
CREATE TABLE plan_requests (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  asked_by INTEGER NOT NULL REFERENCES admins (id),
  asked_at TEXT NOT NULL,
  comment TEXT,
  decided_by INTEGER,
  decided_at TEXT,
  reason TEXT
) STRICT;
CREATE INDEX plan_requests_waiting ON plan_requests (run_id) WHERE state = 'waiting';
CREATE TABLE planned_writes (
  lineage_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT,
  warnings TEXT NOT NULL,
  is_outside INTEGER NOT NULL,
  at TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT,
  effects TEXT NOT NULL,
  PRIMARY KEY (lineage_id, position)
) STRICT;
CREATE TABLE policy_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT,
  acts TEXT NOT NULL,
  decided TEXT NOT NULL,
  comment TEXT,
  state TEXT NOT NULL,
  proposed_by INTEGER NOT NULL REFERENCES admins (id),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  decided_by INTEGER,
  decided_at TEXT,
  reason TEXT,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX policy_changes_by_expiry ON policy_changes (expires_at);
CREATE TABLE product_access_groups (
  product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES access_groups (id) ON DELETE CASCADE,
  duration_days INTEGER,
  PRIMARY KEY (product_id, group_id)
) STRICT;
CREATE INDEX product_access_groups_by_group ON product_access_groups (group_id);
CREATE TABLE product_files (
  product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  file_id INTEGER NOT NULL REFERENCES files (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (product_id, file_id)
) STRICT;
CREATE INDEX product_files_by_file ON product_files (file_id, product_id);
CREATE TABLE product_media (
  product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
  media_id INTEGER NOT NULL REFERENCES media (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (product_id, media_id)
) STRICT;
CREATE INDEX product_media_by_media ON product_media (media_id, product_id);
CREATE TABLE product_sales (
  product_id INTEGER PRIMARY KEY,
  quantity INTEGER NOT NULL,
  revenue INTEGER NOT NULL
) STRICT;
CREATE VIEW product_sums AS SELECT product_id, quantity, revenue FROM product_sales;
CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  kind TEXT NOT NULL,
  tax_rate_id INTEGER REFERENCES tax_rates (id),
  low_stock_threshold INTEGER,
  custom_fields TEXT NOT NULL,
  is_subscription INTEGER NOT NULL,
  billing_interval TEXT,
  billing_interval_count INTEGER NOT NULL,
  cancellation_policy TEXT NOT NULL,
  max_billing_cycles INTEGER,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  changed_in INTEGER NOT NULL DEFAULT 0,
  sort_price INTEGER NOT NULL DEFAULT -1,
  sort_stock INTEGER NOT NULL DEFAULT 9000000000000000
) STRICT;
CREATE TRIGGER products_numbered_insert AFTER INSERT ON products BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE products SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER products_numbered_update AFTER UPDATE OF row_version, updated_at ON products WHEN OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE products SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE INDEX products_by_created ON products (created_at, id);
CREATE INDEX products_by_tax_rate ON products (tax_rate_id) WHERE tax_rate_id IS NOT NULL;
CREATE INDEX products_by_name ON products (name_folded, id, status);
CREATE INDEX products_by_change ON products (changed_in, id);
CREATE INDEX products_by_updated ON products (updated_at, id);
CREATE INDEX products_by_price ON products (sort_price, id);
CREATE INDEX products_by_stock ON products (sort_stock, id);
CREATE TABLE provider_payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  external_id TEXT NOT NULL,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  state TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  refunded_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  told_at TEXT NOT NULL,
  refund_told_at TEXT,
  UNIQUE (provider, external_id)
) STRICT;
CREATE INDEX provider_payments_by_order ON provider_payments (order_id, id);
CREATE TABLE recorded_answers (
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  call TEXT NOT NULL,
  now_ms INTEGER,
  again INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (claim_id, position)
) STRICT;
CREATE TABLE recorded_epochs (
  lineage_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  checkpoint TEXT,
  ended_by_claim_id INTEGER,
  ended_log_lines INTEGER,
  PRIMARY KEY (lineage_id, epoch)
) STRICT;
CREATE TABLE recovery_codes (
  code_hash TEXT NOT NULL PRIMARY KEY,
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX recovery_codes_by_admin ON recovery_codes (admin_id);
CREATE TABLE replay_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  key TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT,
  is_write INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  recorded_epoch INTEGER,
  recorded_key TEXT,
  UNIQUE (run_id, epoch, key)
) STRICT;
CREATE INDEX replay_calls_by_outcome ON replay_calls (run_id, outcome, id);
CREATE INDEX replay_calls_by_recorded ON replay_calls (run_id, recorded_epoch, recorded_key) WHERE recorded_key IS NOT NULL;
CREATE TABLE roles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  permissions TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE run_chains (
  root_id TEXT PRIMARY KEY REFERENCES lineages (id) ON DELETE CASCADE,
  starts INTEGER NOT NULL
) STRICT;
CREATE TABLE run_checkpoints (
  run_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  at TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  PRIMARY KEY (run_id, epoch)
) STRICT;
CREATE TABLE run_claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  lineage_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  runner_name TEXT NOT NULL,
  claimed_at TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  ended_at TEXT,
  log_from INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER,
  report_token_hash TEXT,
  cpu_ms INTEGER NOT NULL DEFAULT 0,
  wall_ms INTEGER NOT NULL DEFAULT 0,
  host_calls INTEGER NOT NULL DEFAULT 0,
  max_host_calls INTEGER,
  max_writes INTEGER,
  max_log_bytes INTEGER,
  crash_sign TEXT,
  said TEXT
) STRICT;
CREATE INDEX run_claims_by_run ON run_claims (run_id);
CREATE INDEX run_claims_active ON run_claims (lease_until) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX run_claims_by_report_token ON run_claims (report_token_hash);
CREATE TABLE run_details (
  run_id INTEGER PRIMARY KEY,
  markdown TEXT NOT NULL
) STRICT;
CREATE TABLE run_effects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL,
  lineage_id TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  resource_type TEXT NOT NULL,
  resource_id INTEGER,
  changes TEXT NOT NULL,
  at TEXT NOT NULL,
  customer_id INTEGER,
  maybe_twice INTEGER NOT NULL DEFAULT 0,
  is_first INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX run_effects_by_run ON run_effects (run_id, id);
CREATE INDEX run_effects_by_resource ON run_effects (resource_type, resource_id) WHERE resource_id IS NOT NULL;
CREATE INDEX run_effects_by_customer ON run_effects (customer_id) WHERE customer_id IS NOT NULL;
CREATE TABLE run_events (
  run_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at TEXT NOT NULL,
  line TEXT NOT NULL,
  call_number INTEGER,
  call_at TEXT,
  duration_ms INTEGER,
  epoch INTEGER,
  source TEXT,
  PRIMARY KEY (run_id, seq)
) STRICT;
CREATE INDEX run_events_calls ON run_events (run_id, call_number) WHERE call_number IS NOT NULL;
CREATE TABLE run_figures (
  run_id INTEGER PRIMARY KEY,
  task_id INTEGER NOT NULL,
  version_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  outcome TEXT NOT NULL,
  took_bucket INTEGER,
  waited_bucket INTEGER,
  effects INTEGER NOT NULL,
  llm_tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX run_figures_took ON run_figures (task_id, day, version_id, took_bucket, outcome, effects, llm_tokens);
CREATE INDEX run_figures_waited ON run_figures (task_id, day, version_id, waited_bucket);
CREATE TABLE run_permissions (
  run_id INTEGER NOT NULL,
  permission TEXT NOT NULL,
  PRIMARY KEY (run_id, permission)
) STRICT;
CREATE TABLE run_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lineage_id TEXT NOT NULL,
  key TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  asked_by_run_id INTEGER NOT NULL,
  label TEXT NOT NULL,
  fields TEXT NOT NULL,
  answers TEXT,
  created_at TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  answered_at TEXT,
  answered_by INTEGER,
  asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
  answered_claim_id INTEGER,
  awaits_run_id INTEGER,
  awaits TEXT,
  match TEXT,
  found_by TEXT,
  due_ms INTEGER,
  open_writes TEXT,
  open_in INTEGER,
  wakes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (lineage_id, key)
) STRICT;
CREATE INDEX run_prompts_open ON run_prompts (asked_by_run_id) WHERE answered_at IS NULL;
CREATE INDEX run_prompts_due ON run_prompts (asked_at) WHERE answered_at IS NULL AND awaits_run_id IS NULL;
CREATE INDEX run_prompts_awaits ON run_prompts (awaits_run_id) WHERE awaits_run_id IS NOT NULL AND answered_at IS NULL;
CREATE INDEX run_prompts_found ON run_prompts (found_by) WHERE found_by IS NOT NULL AND answered_at IS NULL;
CREATE INDEX run_prompts_ends ON run_prompts (due_ms) WHERE due_ms IS NOT NULL AND answered_at IS NULL;
CREATE INDEX run_prompts_unsettled ON run_prompts (id) WHERE open_writes IS NOT NULL;
CREATE INDEX run_prompts_wakes ON run_prompts (id) WHERE wakes = 1;
CREATE INDEX run_prompts_waits ON run_prompts (lineage_id) WHERE awaits IS NOT NULL AND answered_at IS NULL;
CREATE TABLE run_results (
  lineage_id TEXT NOT NULL,
  key TEXT NOT NULL,
  run_id INTEGER NOT NULL DEFAULT 0,
  asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (lineage_id, key)
) STRICT;
CREATE TABLE run_signals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  lineage_id TEXT REFERENCES lineages (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  permissions TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX run_signals_by_lineage ON run_signals (lineage_id, key, id) WHERE lineage_id IS NOT NULL;
CREATE INDEX run_signals_by_task ON run_signals (task_id, key, id);
CREATE INDEX run_signals_by_time ON run_signals (at, id);
CREATE TABLE runners (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  isolation TEXT NOT NULL,
  slots INTEGER NOT NULL,
  last_seen INTEGER NOT NULL
) STRICT;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  version_id INTEGER NOT NULL REFERENCES task_versions (id),
  lineage_id TEXT NOT NULL REFERENCES lineages (id),
  status TEXT NOT NULL,
  parameters TEXT NOT NULL,
  last_checkpoint TEXT,
  error_message TEXT,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  attempt INTEGER NOT NULL,
  dry_run INTEGER NOT NULL,
  record INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  executor TEXT NOT NULL,
  claim_id INTEGER,
  claimed_by TEXT,
  claimed_at TEXT,
  resumed_from_run_id INTEGER,
  resumed_by_run_id INTEGER,
  started_by TEXT NOT NULL,
  started_by_admin_id INTEGER NOT NULL,
  reported INTEGER NOT NULL,
  end_reason TEXT,
  isolation TEXT NOT NULL,
  progress TEXT,
  result TEXT,
  log_lines INTEGER NOT NULL,
  log_bytes INTEGER NOT NULL,
  concurrency_key TEXT,
  concurrency_limit INTEGER,
  row_version INTEGER NOT NULL DEFAULT 1,
  applied_by_run_id INTEGER,
  replay_of_run_id INTEGER,
  first_epoch INTEGER NOT NULL DEFAULT 0,
  client_seen_ms INTEGER,
  log_calls INTEGER NOT NULL DEFAULT 0,
  retries INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER,
  retry_due_ms INTEGER,
  sign_ms INTEGER NOT NULL DEFAULT 0,
  stuck_told_ms INTEGER NOT NULL DEFAULT 0,
  traceparent TEXT,
  foreign_parameters INTEGER NOT NULL DEFAULT 0,
  hides_people INTEGER NOT NULL DEFAULT 0,
  agent_token_id INTEGER,
  start_by_ms INTEGER,
  restarted_from_run_id INTEGER,
  restarted_from_epoch INTEGER,
  undo_of_run_id INTEGER,
  error_id INTEGER,
  description TEXT,
  details_number INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_task ON runs (task_id, id);
CREATE INDEX runs_by_version ON runs (version_id, id);
CREATE INDEX runs_by_lineage ON runs (lineage_id, id);
CREATE INDEX runs_finished ON runs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_clients ON runs (client_seen_ms) WHERE status = 'running' AND executor = 'external';
CREATE INDEX runs_by_start ON runs (started_at, id, status, dry_run);
CREATE INDEX runs_by_task_start ON runs (task_id, started_at, id, status, dry_run);
CREATE INDEX runs_by_status ON runs (status, started_at, id, dry_run) WHERE status <> 'running';
CREATE INDEX runs_running_by_start ON runs (started_at, id, dry_run, task_id) WHERE status = 'running';
CREATE INDEX runs_dry ON runs (started_at, id, status) WHERE dry_run = 1;
CREATE INDEX runs_retries ON runs (retry_due_ms) WHERE retry_due_ms IS NOT NULL;
CREATE INDEX runs_by_end_reason ON runs (end_reason, started_at, id, status, dry_run) WHERE end_reason IS NOT NULL;
CREATE INDEX runs_by_starter ON runs (started_by, started_at, id, status, dry_run);
CREATE INDEX runs_open ON runs (executor, started_at) WHERE status = 'running' AND claim_id IS NULL;
CREATE INDEX runs_free ON runs (executor, priority DESC, id) WHERE status = 'running' AND claim_id IS NULL AND concurrency_limit IS NULL;
CREATE INDEX runs_limited ON runs (executor, task_id, priority DESC, id) WHERE status = 'running' AND claim_id IS NULL AND concurrency_limit IS NOT NULL AND concurrency_key IS NULL;
CREATE INDEX runs_keyed ON runs (executor, task_id, priority DESC, id) WHERE status = 'running' AND claim_id IS NULL AND concurrency_limit IS NOT NULL AND concurrency_key IS NOT NULL;
CREATE INDEX runs_taken ON runs (task_id, concurrency_key, concurrency_limit) WHERE status = 'running' AND (claim_id IS NOT NULL OR executor = 'external');
CREATE INDEX runs_running ON runs (task_id, concurrency_key, claim_id, executor) WHERE status = 'running';
CREATE INDEX runs_to_expire ON runs (start_by_ms) WHERE status = 'running' AND start_by_ms IS NOT NULL;
CREATE INDEX runs_by_error ON runs (error_id, id) WHERE error_id IS NOT NULL;
CREATE INDEX runs_undos ON runs (undo_of_run_id, id) WHERE undo_of_run_id IS NOT NULL AND dry_run = 0;
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
  screen TEXT NOT NULL,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  search TEXT NOT NULL,
  columns TEXT,
  shared INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX saved_views_by_admin ON saved_views (admin_id, screen, name_folded);
CREATE INDEX saved_views_shared ON saved_views (screen) WHERE shared = 1;
CREATE TABLE schedules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  cron TEXT NOT NULL,
  timezone TEXT NOT NULL,
  parameters TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  overlap TEXT NOT NULL,
  catch_up_seconds INTEGER NOT NULL,
  next_at TEXT,
  due_ms INTEGER,
  last_run_id INTEGER,
  last_at TEXT,
  last_error TEXT,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  acts_for INTEGER NOT NULL DEFAULT 0,
  reads_files INTEGER NOT NULL DEFAULT 0,
  queued INTEGER NOT NULL DEFAULT 0,
  queue_due_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX schedules_due ON schedules (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX schedules_by_task ON schedules (task_id, id);
CREATE INDEX schedules_queued ON schedules (queue_due_ms, id) WHERE queued > 0;
CREATE TABLE session_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX session_tokens_by_session ON session_tokens (session_id);
CREATE INDEX session_tokens_by_expiry ON session_tokens (expires_at);
CREATE TABLE sessions (
  id INTEGER NOT NULL PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
  secret_hash TEXT NOT NULL UNIQUE,
  passkey_id INTEGER NOT NULL REFERENCES passkeys (id),
  address TEXT NOT NULL,
  renewed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_passkey ON sessions (passkey_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE shipments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_key TEXT UNIQUE,
  provider_shipment_id TEXT,
  courier_id TEXT,
  courier_name TEXT,
  cost_cents INTEGER,
  tracking_number TEXT,
  label_url TEXT,
  parcel TEXT,
  options TEXT NOT NULL,
  tracking_events TEXT NOT NULL,
  wanted_courier_id TEXT,
  purchase_scope TEXT,
  purchase_started_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX shipments_by_order ON shipments (order_id, id);
CREATE INDEX shipments_purchasing ON shipments (id) WHERE status = 'purchasing';
CREATE TABLE shipping_methods (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  price_cents INTEGER NOT NULL,
  free_over_cents INTEGER,
  tax_rate_id INTEGER REFERENCES tax_rates (id),
  countries TEXT NOT NULL,
  delivery_estimate TEXT NOT NULL,
  active INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX shipping_methods_by_order ON shipping_methods (sort_order, id);
CREATE INDEX shipping_methods_by_tax_rate ON shipping_methods (tax_rate_id) WHERE tax_rate_id IS NOT NULL;
CREATE TABLE start_times (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  starter_id INTEGER NOT NULL,
  task_id INTEGER NOT NULL,
  rate_key TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX start_times_by_key ON start_times (kind, starter_id, task_id, rate_key, at_ms);
CREATE INDEX start_times_by_time ON start_times (at_ms);
CREATE TABLE started_calls (
  scope TEXT PRIMARY KEY,
  lineage_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  is_write INTEGER NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT,
  llm_tokens INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL,
  effect_id INTEGER
) STRICT;
CREATE INDEX started_calls_by_lineage ON started_calls (lineage_id, epoch);
CREATE TABLE stock_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  variant_id INTEGER NOT NULL REFERENCES variants (id),
  delta INTEGER NOT NULL,
  reason TEXT NOT NULL,
  order_id INTEGER,
  actor TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX stock_movements_by_variant ON stock_movements (variant_id, id);
CREATE INDEX stock_movements_by_order ON stock_movements (order_id) WHERE order_id IS NOT NULL;
CREATE TABLE storage_use (
  id INTEGER PRIMARY KEY,
  key_prefix TEXT NOT NULL,
  used_bytes INTEGER NOT NULL CHECK (used_bytes >= 0)
) STRICT;
CREATE TABLE stored_objects (
  key TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  counts INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE subscription_invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id INTEGER NOT NULL REFERENCES subscriptions (id),
  external_invoice_id TEXT NOT NULL UNIQUE,
  external_payment_intent TEXT NOT NULL,
  is_initial INTEGER NOT NULL,
  amount_total_cents INTEGER NOT NULL,
  amount_paid_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL,
  period_start TEXT NOT NULL,
  period_end TEXT NOT NULL,
  hosted_invoice_url TEXT,
  created_at TEXT NOT NULL,
  told_at TEXT
) STRICT;
CREATE INDEX subscription_invoices_by_subscription ON subscription_invoices (subscription_id, created_at, id);
CREATE INDEX subscription_invoices_by_payment ON subscription_invoices (external_payment_intent) WHERE external_payment_intent <> '';
CREATE TABLE subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  variant_id INTEGER NOT NULL REFERENCES variants (id),
  product_name TEXT NOT NULL,
  variant_label TEXT NOT NULL,
  customer_id INTEGER REFERENCES customers (id),
  customer_name TEXT NOT NULL,
  customer_email TEXT NOT NULL,
  provider TEXT NOT NULL,
  external_subscription_id TEXT NOT NULL UNIQUE,
  external_customer_id TEXT NOT NULL,
  billing_interval TEXT NOT NULL,
  billing_interval_count INTEGER NOT NULL,
  cancellation_policy TEXT NOT NULL,
  max_billing_cycles INTEGER,
  unit_amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  current_period_start TEXT NOT NULL,
  current_period_end TEXT NOT NULL,
  cancel_at_period_end INTEGER NOT NULL,
  canceled_at TEXT,
  ended_at TEXT,
  initial_order_id INTEGER REFERENCES orders (id),
  order_item_id INTEGER REFERENCES order_items (id) ON DELETE SET NULL,
  told_at TEXT,
  last_event_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  changed_in INTEGER NOT NULL DEFAULT 0,
  search_folded TEXT
) STRICT;
CREATE TRIGGER subscriptions_numbered_insert AFTER INSERT ON subscriptions BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE subscriptions SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE TRIGGER subscriptions_numbered_update AFTER UPDATE OF row_version, updated_at ON subscriptions WHEN OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at BEGIN UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) ELSE n + 1 END; UPDATE subscriptions SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id; END;
CREATE INDEX subscriptions_by_created ON subscriptions (created_at, id);
CREATE INDEX subscriptions_by_status ON subscriptions (status, created_at, id);
CREATE INDEX subscriptions_by_customer ON subscriptions (customer_id, created_at, id);
CREATE INDEX subscriptions_by_product ON subscriptions (product_id, created_at, id);
CREATE INDEX subscriptions_by_variant ON subscriptions (variant_id);
CREATE INDEX subscriptions_by_order ON subscriptions (initial_order_id, created_at, id) WHERE initial_order_id IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_by_order_item ON subscriptions (order_item_id) WHERE order_item_id IS NOT NULL;
CREATE INDEX subscriptions_canceled ON subscriptions (canceled_at, id) WHERE status = 'canceled' AND canceled_at IS NOT NULL;
CREATE INDEX subscriptions_charged ON subscriptions (billing_interval, billing_interval_count, unit_amount_cents, quantity, status) WHERE status IN ('active', 'past_due');
CREATE INDEX subscriptions_by_change ON subscriptions (changed_in, id);
CREATE INDEX subscriptions_by_updated ON subscriptions (updated_at, id);
CREATE TABLE task_error_counts (
  error_id INTEGER NOT NULL REFERENCES task_errors (id) ON DELETE CASCADE,
  version_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (error_id, version_id, day)
) STRICT;
CREATE INDEX task_error_counts_by_day ON task_error_counts (day);
CREATE TABLE task_errors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  fingerprint TEXT NOT NULL,
  end_reason TEXT,
  state TEXT NOT NULL,
  resolved_in_version INTEGER,
  returned_at TEXT,
  returned_run_id INTEGER,
  count INTEGER NOT NULL,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  last_run_id INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (task_id, fingerprint)
) STRICT;
CREATE INDEX task_errors_by_time ON task_errors (last_seen_at, id);
CREATE INDEX task_errors_by_task ON task_errors (task_id, last_seen_at, id);
CREATE INDEX task_errors_by_state ON task_errors (state, last_seen_at, id);
CREATE INDEX task_errors_by_run ON task_errors (last_run_id);
CREATE TABLE task_mail_days (
  day TEXT PRIMARY KEY,
  mails INTEGER NOT NULL
) STRICT;
CREATE TABLE task_secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  task_id INTEGER REFERENCES tasks (id),
  key_id TEXT NOT NULL,
  sealed TEXT NOT NULL,
  hosts TEXT NOT NULL,
  note TEXT NOT NULL,
  created_by INTEGER NOT NULL,
  created_by_name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  last_used_at TEXT,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX task_secrets_by_name ON task_secrets (name, coalesce(task_id, 0));
CREATE INDEX task_secrets_by_task ON task_secrets (task_id);
CREATE TABLE task_state (
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  version INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  updated_by_run_id INTEGER,
  PRIMARY KEY (task_id, key)
) STRICT;
CREATE TABLE task_state_marks (
  task_id INTEGER PRIMARY KEY REFERENCES tasks (id),
  deleted_version INTEGER NOT NULL,
  permissions TEXT NOT NULL
) STRICT;
CREATE TABLE task_variables (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  task_id INTEGER REFERENCES tasks (id),
  value TEXT NOT NULL,
  note TEXT NOT NULL,
  created_by INTEGER NOT NULL,
  created_by_name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX task_variables_by_name ON task_variables (name, coalesce(task_id, 0));
CREATE INDEX task_variables_by_task ON task_variables (task_id);
CREATE TABLE task_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  version INTEGER,
  source_code TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  permissions TEXT NOT NULL,
  parameters TEXT NOT NULL,
  warnings TEXT NOT NULL,
  created_by INTEGER NOT NULL,
  approved_by INTEGER,
  approved_at TEXT,
  revoked_at TEXT,
  created_at TEXT NOT NULL,
  rejected_at TEXT,
  note TEXT,
  mail_to TEXT NOT NULL DEFAULT '[]',
  http_allow TEXT NOT NULL DEFAULT '[]',
  secrets TEXT NOT NULL DEFAULT '[]',
  may_start TEXT NOT NULL DEFAULT '[]',
  may_read TEXT,
  created_via TEXT,
  created_by_agent TEXT,
  evidence TEXT,
  change_request_id INTEGER,
  UNIQUE (task_id, version)
) STRICT;
CREATE INDEX task_versions_pending ON task_versions (task_id, version) WHERE approved_by IS NULL AND rejected_at IS NULL AND revoked_at IS NULL;
CREATE INDEX task_versions_waiting ON task_versions (id) WHERE approved_by IS NULL AND rejected_at IS NULL AND revoked_at IS NULL;
CREATE INDEX task_versions_starting ON task_versions (task_id, id, may_start) WHERE may_start <> '[]';
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT NOT NULL,
  description_folded TEXT NOT NULL,
  current_version_id INTEGER,
  settings TEXT NOT NULL,
  deleted_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  handler_acts_for INTEGER,
  handler_reads_files INTEGER NOT NULL DEFAULT 0,
  stuck_minutes INTEGER,
  drafts_of INTEGER,
  one_off INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tasks_by_updated ON tasks (updated_at, id);
CREATE INDEX tasks_watched ON tasks (id) WHERE stuck_minutes IS NOT NULL;
CREATE INDEX tasks_of_drafts ON tasks (drafts_of) WHERE drafts_of IS NOT NULL;
CREATE INDEX tasks_one_off ON tasks (id) WHERE one_off = 1;
CREATE TABLE tax_rates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  rate_bps INTEGER NOT NULL,
  country TEXT,
  is_default INTEGER NOT NULL,
  name_folded TEXT NOT NULL DEFAULT '',
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX tax_rates_default ON tax_rates (is_default) WHERE is_default = 1;
CREATE INDEX tax_rates_by_name ON tax_rates (name_folded, id);
CREATE TABLE theme_templates (
  theme_id INTEGER NOT NULL REFERENCES themes (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  page_id INTEGER REFERENCES pages (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (theme_id, path)
) STRICT;
CREATE INDEX theme_templates_by_page ON theme_templates (page_id, theme_id);
CREATE TABLE themes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  active INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX themes_active ON themes (active) WHERE active = 1;
CREATE INDEX themes_by_name ON themes (name_folded, id);
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER REFERENCES admins (id),
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  token_prefix TEXT NOT NULL,
  permissions TEXT,
  expires_at TEXT,
  last_used_at TEXT,
  revoked_at TEXT,
  created_at TEXT NOT NULL,
  parent_token_id INTEGER REFERENCES tokens (id),
  kind TEXT NOT NULL DEFAULT 'personal',
  sees_personal_data INTEGER NOT NULL DEFAULT 0,
  oauth_client TEXT,
  device TEXT,
  single_use INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tokens_by_admin ON tokens (admin_id);
CREATE INDEX tokens_by_parent ON tokens (parent_token_id) WHERE parent_token_id IS NOT NULL;
CREATE INDEX tokens_of_agents ON tokens (id) WHERE kind = 'agent' AND revoked_at IS NULL;
CREATE TABLE trigger_deliveries (
  trigger_id INTEGER NOT NULL REFERENCES triggers (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL REFERENCES domain_events (id),
  due_ms INTEGER NOT NULL,
  PRIMARY KEY (trigger_id, event_id)
) STRICT;
CREATE INDEX trigger_deliveries_due ON trigger_deliveries (due_ms, event_id, trigger_id);
CREATE INDEX trigger_deliveries_by_event ON trigger_deliveries (event_id);
CREATE TABLE triggers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  event TEXT NOT NULL,
  filter TEXT NOT NULL,
  parameters TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  last_error TEXT,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  acts_for INTEGER NOT NULL DEFAULT 0,
  reads_files INTEGER NOT NULL DEFAULT 0,
  start_options TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX triggers_by_event ON triggers (event, id) WHERE enabled = 1;
CREATE INDEX triggers_by_task ON triggers (task_id, id);
CREATE TABLE unsubscribe_links (
  token_hash TEXT PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX unsubscribe_links_by_customer ON unsubscribe_links (customer_id);
CREATE INDEX unsubscribe_links_by_age ON unsubscribe_links (created_at);
CREATE TABLE variants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products (id),
  sku TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  price_cents INTEGER NOT NULL,
  compare_at_price_cents INTEGER,
  track_stock INTEGER NOT NULL,
  stock INTEGER NOT NULL,
  allow_backorder INTEGER NOT NULL,
  weight_grams INTEGER NOT NULL,
  position INTEGER NOT NULL,
  active INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1,
  sku_folded TEXT NOT NULL DEFAULT '',
  label_folded TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX variants_tracked ON variants (product_id, stock) WHERE track_stock = 1;
CREATE INDEX variants_by_sku ON variants (sku_folded, id);
CREATE INDEX variants_by_product ON variants (product_id, position, id, active, sku_folded, label_folded);
CREATE TABLE version_approvals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  version_id INTEGER NOT NULL REFERENCES task_versions (id),
  source_sha256 TEXT NOT NULL,
  permissions TEXT NOT NULL,
  decision TEXT NOT NULL,
  admin_id INTEGER NOT NULL,
  comment TEXT,
  at TEXT NOT NULL,
  mail_to TEXT NOT NULL DEFAULT '[]',
  http_allow TEXT NOT NULL DEFAULT '[]',
  secrets TEXT NOT NULL DEFAULT '[]',
  may_start TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX version_approvals_by_task ON version_approvals (task_id, id);
CREATE INDEX version_approvals_by_version ON version_approvals (version_id, id);
CREATE TABLE version_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id INTEGER NOT NULL REFERENCES tasks (id),
  version_id INTEGER NOT NULL REFERENCES task_versions (id),
  thread_id INTEGER REFERENCES version_comments (id),
  line INTEGER NOT NULL,
  text TEXT NOT NULL,
  created_by INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  edited_at TEXT,
  resolved_at TEXT,
  resolved_by INTEGER,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX version_comments_by_task ON version_comments (task_id, id);
CREATE INDEX version_comments_by_version ON version_comments (version_id, id);
CREATE INDEX version_comments_by_thread ON version_comments (thread_id) WHERE thread_id IS NOT NULL;
CREATE TABLE version_trials (
  version_id INTEGER PRIMARY KEY REFERENCES task_versions (id),
  state TEXT NOT NULL,
  failures INTEGER NOT NULL,
  effects TEXT NOT NULL,
  before TEXT NOT NULL,
  reason TEXT,
  run_id INTEGER,
  decided_at TEXT
) STRICT;
CREATE TABLE voucher_uses (
  voucher_id INTEGER NOT NULL REFERENCES vouchers (id),
  order_id INTEGER NOT NULL REFERENCES orders (id),
  customer_id INTEGER REFERENCES customers (id),
  at TEXT NOT NULL,
  PRIMARY KEY (voucher_id, order_id)
) STRICT;
CREATE INDEX voucher_uses_by_order ON voucher_uses (order_id);
CREATE INDEX voucher_uses_by_customer ON voucher_uses (customer_id, voucher_id) WHERE customer_id IS NOT NULL;
CREATE TABLE vouchers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL,
  code_folded TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  percent_bps INTEGER,
  amount_cents INTEGER,
  min_subtotal_cents INTEGER NOT NULL,
  usage_limit INTEGER,
  per_customer_limit INTEGER,
  used_count INTEGER NOT NULL DEFAULT 0 CHECK (used_count >= 0),
  valid_from TEXT,
  valid_to TEXT,
  active INTEGER NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  lease TEXT,
  response_status INTEGER,
  last_error TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  request_id TEXT
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_ms, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE webhook_endpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL,
  url_folded TEXT NOT NULL,
  active INTEGER NOT NULL,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  row_version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE webhook_events (
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  told_at TEXT NOT NULL,
  outcome TEXT NOT NULL,
  waits_for TEXT,
  payload TEXT NOT NULL,
  received_at TEXT NOT NULL,
  PRIMARY KEY (provider, event_id)
) STRICT;
CREATE INDEX webhook_events_waiting ON webhook_events (provider, waits_for, told_at) WHERE waits_for IS NOT NULL;
CREATE INDEX webhook_events_by_age ON webhook_events (received_at);
CREATE TABLE webhook_subscriptions (
  event TEXT NOT NULL,
  endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  PRIMARY KEY (event, endpoint_id)
) STRICT;
CREATE INDEX webhook_subscriptions_by_endpoint ON webhook_subscriptions (endpoint_id, event);
