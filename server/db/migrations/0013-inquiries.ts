/** Inquiries that visitors send to the shop. */
export const statements: readonly string[] = [
  `CREATE TABLE inquiries (
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
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX inquiries_by_creation ON inquiries (created_at, id)`,
  `CREATE INDEX inquiries_by_customer ON inquiries (customer_id)`,
  `CREATE INDEX inquiries_unanswered ON inquiries (created_at, id) WHERE answered_at IS NULL`,
];
