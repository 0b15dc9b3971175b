/** Mails that are queued, sent, or failed; see `resources/mail`. */
export const statements: readonly string[] = [
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
    ended_at TEXT
  ) STRICT`,
  `CREATE INDEX mails_due ON mails (status, due_ms, id)`,
  `CREATE INDEX mails_untold ON mails (id) WHERE untold = 1`,
  `CREATE INDEX mails_by_creation ON mails (created_at, id)`,
  `CREATE INDEX mails_by_status ON mails (status, created_at, id)`,
  `CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL`,
  `CREATE INDEX notifications_by_type ON notifications (type, created_at)`,
];
