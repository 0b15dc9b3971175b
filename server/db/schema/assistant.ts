import type { Statement } from '../dialect.ts';

/** The assistant's threads with what happened in them, and the tokens that they used. */
export const assistant: readonly Statement[] = [
  `CREATE TABLE assistant_threads (
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
  ) STRICT`,
  `CREATE INDEX assistant_threads_by_admin ON assistant_threads (admin_id, created_at, id)`,
  `CREATE INDEX assistant_threads_by_task ON assistant_threads (task_id)`,
  `CREATE INDEX assistant_threads_by_age ON assistant_threads (updated_at)`,
  `CREATE INDEX assistant_threads_working ON assistant_threads (id) WHERE state = 'working'`,
  // `rev`: the row version of the thread with which the item was written last.
  `CREATE TABLE assistant_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id INTEGER NOT NULL REFERENCES assistant_threads (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    rev INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX assistant_items_by_rev ON assistant_items (thread_id, rev, id)`,
  `CREATE INDEX assistant_items_by_thread ON assistant_items (thread_id, id)`,
  `CREATE TABLE assistant_days (
    day TEXT NOT NULL,
    admin_id INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (day, admin_id)
  ) STRICT`,
];
