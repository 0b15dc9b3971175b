import type { Statement } from '../dialect.ts';

/** What the shop tells: notifications to admins, mails, and webhooks to other systems. */
export const messages: readonly Statement[] = [
  `CREATE TABLE notifications (
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
  ) STRICT`,
  `CREATE INDEX notifications_by_type ON notifications (type, created_at)`,
  `CREATE INDEX notifications_by_time ON notifications (created_at, id)`,
  `CREATE INDEX notifications_for_some ON notifications (id) WHERE for_all = 0`,
  `CREATE UNIQUE INDEX notifications_growing ON notifications (fold_key) WHERE fold_key IS NOT NULL`,
  `CREATE TABLE notification_admins (
    admin_id INTEGER NOT NULL REFERENCES admins (id) ON DELETE CASCADE,
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (admin_id, notification_id)
  ) STRICT`,
  `CREATE INDEX notification_admins_by_notification ON notification_admins (notification_id, admin_id)`,
  `CREATE TABLE notification_reads (
    admin_id INTEGER NOT NULL REFERENCES admins (id),
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    PRIMARY KEY (admin_id, notification_id)
  ) STRICT`,
  `CREATE INDEX notification_reads_by_notification ON notification_reads (notification_id)`,
  `CREATE TABLE notification_preferences (
    admin_id INTEGER NOT NULL REFERENCES admins (id),
    event_type TEXT NOT NULL,
    email_enabled INTEGER NOT NULL,
    PRIMARY KEY (admin_id, event_type)
  ) STRICT`,
  `CREATE TABLE mails (
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
    planned_ms INTEGER
  ) STRICT`,
  `CREATE INDEX mails_due ON mails (status, due_ms, id)`,
  `CREATE INDEX mails_untold ON mails (id) WHERE untold = 1`,
  `CREATE INDEX mails_by_creation ON mails (created_at, id)`,
  `CREATE INDEX mails_by_status ON mails (status, created_at, id)`,
  `CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL`,
  `CREATE INDEX mails_by_resource ON mails (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  `CREATE INDEX mails_by_fold ON mails (fold_key, id) WHERE fold_key IS NOT NULL`,
  `CREATE TABLE task_mail_days (
    day TEXT PRIMARY KEY,
    mails INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE webhook_endpoints (
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
  ) STRICT`,
  `CREATE TABLE webhook_subscriptions (
    event TEXT NOT NULL,
    endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    PRIMARY KEY (event, endpoint_id)
  ) STRICT`,
  `CREATE INDEX webhook_subscriptions_by_endpoint ON webhook_subscriptions (endpoint_id, event)`,
  `CREATE TABLE webhook_deliveries (
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
  ) STRICT`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_ms, id) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id)`,
  `CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL`,
];
