import type { Statement } from '../dialect.ts';

/** Comments on orders; of notes on customers, who wrote them and when they were edited. */
export const statements: readonly Statement[] = [
  `CREATE TABLE order_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    author_id INTEGER NOT NULL,
    author TEXT NOT NULL,
    run_id INTEGER,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    edited_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX order_comments_by_order ON order_comments (order_id, created_at, id)`,
  `ALTER TABLE customer_notes ADD COLUMN author_id INTEGER`,
  `ALTER TABLE customer_notes ADD COLUMN run_id INTEGER`,
  `ALTER TABLE customer_notes ADD COLUMN edited_at TEXT`,
  `ALTER TABLE customer_notes ADD COLUMN row_version INTEGER NOT NULL DEFAULT 1`,
];
