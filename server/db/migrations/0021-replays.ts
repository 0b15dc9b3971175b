/**
 * What a recorded run needs besides its journal to be replayed: how each epoch began and which claim ended it, and in which order and at
 * which time of the script's clock its calls were answered; also the calls of a replay.
 */
export const statements: readonly string[] = [
  `ALTER TABLE runs ADD COLUMN replay_of_run_id INTEGER`,
  `ALTER TABLE runs ADD COLUMN first_epoch INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_claims ADD COLUMN log_from INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_results ADD COLUMN run_id INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE lineage_memory ADD COLUMN claim_id INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE recorded_epochs (
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    checkpoint TEXT,
    ended_by_claim_id INTEGER,
    ended_log_lines INTEGER,
    PRIMARY KEY (lineage_id, epoch)
  ) STRICT`,
  `CREATE TABLE recorded_answers (
    claim_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    call TEXT NOT NULL,
    now_ms INTEGER,
    PRIMARY KEY (claim_id, position)
  ) STRICT`,
  `CREATE TABLE replay_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    key TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    is_write INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    recorded_epoch INTEGER,
    recorded_key TEXT,
    UNIQUE (run_id, epoch, key)
  ) STRICT`,
  `CREATE INDEX replay_calls_by_outcome ON replay_calls (run_id, outcome, id)`,
  `CREATE INDEX replay_calls_by_recorded ON replay_calls (run_id, recorded_epoch, recorded_key) WHERE recorded_key IS NOT NULL`,
];
