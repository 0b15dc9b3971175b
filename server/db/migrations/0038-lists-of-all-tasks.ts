/**
 * Indexes for the lists of all tasks: runs in the order of their start, by each filter, and the versions that wait for approval. The
 * columns after the order let a filter be tested without reading the rows.
 */
const pending = 'approved_by IS NULL AND rejected_at IS NULL AND revoked_at IS NULL';

export const statements: readonly string[] = [
  'CREATE INDEX runs_by_start ON runs (started_at, id, status, dry_run)',
  'CREATE INDEX runs_by_task_start ON runs (task_id, started_at, id, status, dry_run)',
  // Two indexes, because one by every status would take the planner away from the indexes of running runs.
  "CREATE INDEX runs_by_status ON runs (status, started_at, id, dry_run) WHERE status <> 'running'",
  "CREATE INDEX runs_running_by_start ON runs (started_at, id, dry_run, task_id) WHERE status = 'running'",
  'CREATE INDEX runs_dry ON runs (started_at, id, status) WHERE dry_run = 1',
  `CREATE INDEX task_versions_pending ON task_versions (task_id, version) WHERE ${pending}`,
  `CREATE INDEX task_versions_waiting ON task_versions (id) WHERE ${pending}`,
];
