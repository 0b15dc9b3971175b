import type { Statement } from '../dialect.ts';

/** Comments on the lines of versions. */
export const statements: readonly Statement[] = [
  `CREATE TABLE version_comments (
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
  ) STRICT`,
  `CREATE INDEX version_comments_by_task ON version_comments (task_id, id)`,
  `CREATE INDEX version_comments_by_version ON version_comments (version_id, id)`,
  `CREATE INDEX version_comments_by_thread ON version_comments (thread_id) WHERE thread_id IS NOT NULL`,
];
