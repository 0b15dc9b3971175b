/**
 * Mails that tasks write: who wrote them, the headers that the shop's own mails lack, their number for each lineage and each day, and
 * what lets a customer opt out.
 */
export const statements: readonly string[] = [
  `ALTER TABLE mails ADD COLUMN reply_to TEXT`,
  `ALTER TABLE mails ADD COLUMN unsubscribe_url TEXT`,
  `ALTER TABLE mails ADD COLUMN task_id INTEGER`,
  `ALTER TABLE mails ADD COLUMN run_id INTEGER`,
  `ALTER TABLE lineages ADD COLUMN mails INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE task_mail_days (
    day TEXT PRIMARY KEY,
    mails INTEGER NOT NULL
  ) STRICT`,
  `ALTER TABLE customers ADD COLUMN marketing_opt_out INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE unsubscribe_links (
    token_hash TEXT PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX unsubscribe_links_by_customer ON unsubscribe_links (customer_id)`,
  `CREATE INDEX unsubscribe_links_by_age ON unsubscribe_links (created_at)`,
];
