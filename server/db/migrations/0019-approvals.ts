/**
 * The decisions on versions of tasks, filled with earlier approvals, and the time of a rejection. Runs that a client drives count against
 * their task's concurrency limit, so the index of running runs includes the executor.
 */
export const statements: readonly string[] = [
  `CREATE TABLE version_approvals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    version_id INTEGER NOT NULL REFERENCES task_versions (id),
    source_sha256 TEXT NOT NULL,
    permissions TEXT NOT NULL,
    decision TEXT NOT NULL,
    admin_id INTEGER NOT NULL,
    comment TEXT,
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX version_approvals_by_task ON version_approvals (task_id, id)`,
  `CREATE INDEX version_approvals_by_version ON version_approvals (version_id, id)`,
  `ALTER TABLE task_versions ADD COLUMN rejected_at TEXT`,
  `INSERT INTO version_approvals (task_id, version_id, source_sha256, permissions, decision, admin_id, comment, at)
    SELECT task_id, id, source_sha256, permissions, 'approved', approved_by, NULL, coalesce(approved_at, created_at)
    FROM task_versions WHERE approved_by IS NOT NULL ORDER BY id`,
  `DROP INDEX runs_running`,
  `CREATE INDEX runs_running ON runs (task_id, concurrency_key, claim_id, executor) WHERE status = 'running'`,
];
