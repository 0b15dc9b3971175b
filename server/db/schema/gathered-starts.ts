import type { Statement } from '../dialect.ts';

/** Starts that are gathered, put off or limited in number, until their runs open (spec GS1). */
export const gatheredStarts: readonly Statement[] = [
  `CREATE INDEX hook_calls_by_start ON hook_calls (start_id) WHERE start_id IS NOT NULL`,
  `CREATE TABLE gathered_starts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    starter_id INTEGER NOT NULL,
    trigger_id INTEGER REFERENCES triggers (id) ON DELETE CASCADE,
    hook_id INTEGER REFERENCES hooks (id) ON DELETE CASCADE,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    how TEXT NOT NULL,
    gather_key TEXT NOT NULL,
    rate_key TEXT NOT NULL,
    options TEXT NOT NULL,
    gathering INTEGER NOT NULL,
    items INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    due_ms INTEGER,
    expires_ms INTEGER,
    queued_ms INTEGER,
    acts_for INTEGER,
    reads_files INTEGER NOT NULL
  ) STRICT`,
  `CREATE UNIQUE INDEX gathered_starts_open ON gathered_starts (kind, starter_id, task_id, gather_key) WHERE gathering = 1`,
  `CREATE INDEX gathered_starts_due ON gathered_starts (due_ms, id) WHERE due_ms IS NOT NULL`,
  `CREATE INDEX gathered_starts_queued ON gathered_starts (kind, starter_id, task_id, rate_key, queued_ms, id) WHERE queued_ms IS NOT NULL`,
  `CREATE INDEX gathered_starts_by_starter ON gathered_starts (kind, starter_id, task_id, due_ms, items)`,
  `CREATE INDEX gathered_starts_by_task ON gathered_starts (task_id, due_ms, id)`,
  `CREATE INDEX gathered_starts_by_trigger ON gathered_starts (trigger_id) WHERE trigger_id IS NOT NULL`,
  `CREATE INDEX gathered_starts_by_hook ON gathered_starts (hook_id) WHERE hook_id IS NOT NULL`,
  `CREATE TABLE gathered_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    start_id INTEGER NOT NULL REFERENCES gathered_starts (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    content TEXT NOT NULL,
    lineage_id TEXT,
    run_id INTEGER,
    depth INTEGER,
    permissions TEXT
  ) STRICT`,
  `CREATE INDEX gathered_items_by_start ON gathered_items (start_id, position, id)`,
  `CREATE TABLE start_times (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    starter_id INTEGER NOT NULL,
    task_id INTEGER NOT NULL,
    rate_key TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX start_times_by_key ON start_times (kind, starter_id, task_id, rate_key, at_ms)`,
  `CREATE INDEX start_times_by_time ON start_times (at_ms)`,
];

/** Runs that no runner may take after a time. */
export const runsToExpire = `CREATE INDEX runs_to_expire ON runs (start_by_ms) WHERE status = 'running' AND start_by_ms IS NOT NULL`;
