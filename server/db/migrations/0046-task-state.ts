/** The state of tasks: values that runs keep for later runs; see `automation/task-state`. */
export const statements: readonly string[] = [
  `CREATE TABLE task_state (
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    updated_by_run_id INTEGER,
    PRIMARY KEY (task_id, key)
  ) STRICT`,
  `CREATE TABLE task_state_marks (
    task_id INTEGER PRIMARY KEY REFERENCES tasks (id),
    deleted_version INTEGER NOT NULL,
    permissions TEXT NOT NULL
  ) STRICT`,
];
