/** Webhook endpoints and the deliveries to them; see `resources/webhooks`. */
export const statements: readonly string[] = [
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
    ended_at TEXT
  ) STRICT`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_ms, id) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id)`,
  `CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL`,
];
