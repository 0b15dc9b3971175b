import type { Statement } from '../dialect.ts';

/** Errors of tasks in groups. They begin with the first bad end after this. */
export const statements: readonly Statement[] = [
  `ALTER TABLE runs ADD COLUMN error_id INTEGER`,
  `CREATE INDEX runs_by_error ON runs (error_id, id) WHERE error_id IS NOT NULL`,
  `CREATE TABLE task_errors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    fingerprint TEXT NOT NULL,
    end_reason TEXT,
    state TEXT NOT NULL,
    resolved_in_version INTEGER,
    returned_at TEXT,
    returned_run_id INTEGER,
    count INTEGER NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    last_run_id INTEGER NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    UNIQUE (task_id, fingerprint)
  ) STRICT`,
  `CREATE INDEX task_errors_by_time ON task_errors (last_seen_at, id)`,
  `CREATE INDEX task_errors_by_task ON task_errors (task_id, last_seen_at, id)`,
  `CREATE INDEX task_errors_by_state ON task_errors (state, last_seen_at, id)`,
  `CREATE INDEX task_errors_by_run ON task_errors (last_run_id)`,
  `CREATE TABLE task_error_counts (
    error_id INTEGER NOT NULL REFERENCES task_errors (id) ON DELETE CASCADE,
    version_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (error_id, version_id, day)
  ) STRICT`,
  `CREATE INDEX task_error_counts_by_day ON task_error_counts (day)`,
];
