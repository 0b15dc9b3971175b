/**
 * The calls of runs: their numbers and times, beside the lines that report them. Lines from before this migration have none. Checkpoints
 * leave a row each, which outlives their state.
 */
export const statements: readonly string[] = [
  'ALTER TABLE run_events ADD COLUMN call_number INTEGER',
  'ALTER TABLE run_events ADD COLUMN call_at TEXT',
  'ALTER TABLE run_events ADD COLUMN duration_ms INTEGER',
  'ALTER TABLE run_events ADD COLUMN epoch INTEGER',
  'CREATE INDEX run_events_calls ON run_events (run_id, call_number) WHERE call_number IS NOT NULL',
  'ALTER TABLE runs ADD COLUMN log_calls INTEGER NOT NULL DEFAULT 0',
  `CREATE TABLE run_checkpoints (
    run_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (run_id, epoch)
  ) STRICT`,
];
