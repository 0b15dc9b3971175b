/**
 * What starts runs automatically: schedules by time, triggers by events of the shop; see `automation/schedules` and `automation/triggers`.
 */
export const statements: readonly string[] = [
  `CREATE TABLE schedules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    cron TEXT NOT NULL,
    timezone TEXT NOT NULL,
    parameters TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    overlap TEXT NOT NULL,
    catch_up_seconds INTEGER NOT NULL,
    next_at TEXT,
    due_ms INTEGER,
    last_run_id INTEGER,
    last_at TEXT,
    last_error TEXT,
    created_by INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX schedules_due ON schedules (due_ms, id) WHERE due_ms IS NOT NULL`,
  `CREATE INDEX schedules_by_task ON schedules (task_id, id)`,
  `CREATE TABLE triggers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES tasks (id),
    event TEXT NOT NULL,
    filter TEXT NOT NULL,
    parameters TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    last_error TEXT,
    created_by INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX triggers_by_event ON triggers (event, id) WHERE enabled = 1`,
  `CREATE INDEX triggers_by_task ON triggers (task_id, id)`,
  `CREATE TABLE trigger_deliveries (
    trigger_id INTEGER NOT NULL REFERENCES triggers (id) ON DELETE CASCADE,
    event_id INTEGER NOT NULL REFERENCES domain_events (id),
    due_ms INTEGER NOT NULL,
    PRIMARY KEY (trigger_id, event_id)
  ) STRICT`,
  `CREATE INDEX trigger_deliveries_due ON trigger_deliveries (due_ms, event_id, trigger_id)`,
  `CREATE TABLE lineage_causes (
    lineage_id TEXT NOT NULL REFERENCES lineages (id) ON DELETE CASCADE,
    task_id INTEGER NOT NULL,
    PRIMARY KEY (lineage_id, task_id)
  ) STRICT`,
];
