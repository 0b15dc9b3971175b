/** Secrets that the server puts into requests of tasks, and variables that runs read; see `automation/secrets` and `automation/variables`. */
export const statements: readonly string[] = [
  `CREATE TABLE task_secrets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    task_id INTEGER REFERENCES tasks (id),
    key_id TEXT NOT NULL,
    sealed TEXT NOT NULL,
    hosts TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    created_by_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_used_at TEXT,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX task_secrets_by_name ON task_secrets (name, coalesce(task_id, 0))`,
  `CREATE INDEX task_secrets_by_task ON task_secrets (task_id)`,
  `CREATE TABLE task_variables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    task_id INTEGER REFERENCES tasks (id),
    value TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by INTEGER NOT NULL,
    created_by_name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE UNIQUE INDEX task_variables_by_name ON task_variables (name, coalesce(task_id, 0))`,
  `CREATE INDEX task_variables_by_task ON task_variables (task_id)`,
];
