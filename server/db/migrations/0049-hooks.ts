/** Hooks: addresses that other systems call to start a task; see `automation/hooks`. */
export const statements: readonly string[] = [
  `CREATE TABLE hooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    name TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    parameter TEXT,
    parameters TEXT NOT NULL,
    verify TEXT,
    verify_secret TEXT,
    idempotency_header TEXT,
    wait INTEGER NOT NULL,
    rate_per_minute INTEGER NOT NULL,
    secret_hash TEXT NOT NULL,
    last_error TEXT,
    created_by INTEGER NOT NULL,
    acts_for INTEGER NOT NULL,
    reads_files INTEGER NOT NULL,
    permissions TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX hooks_by_task ON hooks (task_id, id)`,
  `CREATE TABLE hook_calls (
    key TEXT PRIMARY KEY,
    hook_id INTEGER NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    run_id INTEGER,
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX hook_calls_by_hook ON hook_calls (hook_id)`,
  `CREATE INDEX hook_calls_by_time ON hook_calls (at)`,
];
