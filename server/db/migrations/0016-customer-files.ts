/** Files that belong to one customer. */
export const statements: readonly string[] = [
  `CREATE TABLE customer_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    storage_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    note TEXT,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX customer_files_by_customer ON customer_files (customer_id, created_at, id)`,
];
