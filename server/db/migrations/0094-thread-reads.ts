import type { Statement } from '../dialect.ts';

/** What each thread of the assistant may have read, and how long it is. */
export const statements: readonly Statement[] = [
  `ALTER TABLE assistant_threads ADD COLUMN may_read TEXT`,
  `ALTER TABLE assistant_threads ADD COLUMN size_bytes INTEGER NOT NULL DEFAULT 0`,
  `UPDATE assistant_threads
    SET size_bytes = coalesce((SELECT sum(length(data)) FROM assistant_items WHERE thread_id = assistant_threads.id), 0)`,
  `CREATE INDEX assistant_items_by_thread ON assistant_items (thread_id, id)`,
];
