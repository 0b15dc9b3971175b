import type { Statement } from '../dialect.ts';

/** The calls of runs: journal, effects, plans of dry runs, recordings and replays. */
export const calls: readonly Statement[] = [
  `CREATE TABLE journal (
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    key TEXT NOT NULL,
    claim_id INTEGER NOT NULL,
    asked_by_claim_id INTEGER NOT NULL,
    is_write INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    status INTEGER NOT NULL,
    etag TEXT,
    location TEXT,
    answer TEXT,
    answer_gzip BLOB,
    at TEXT NOT NULL,
    sent INTEGER NOT NULL DEFAULT 0,
    passing INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (lineage_id, epoch, key)
  ) STRICT`,
  `CREATE INDEX journal_writes ON journal (lineage_id, epoch, method, path) WHERE is_write = 1`,
  // Calls that ask somebody outside and have begun but not ended (spec JO9, SF11).
  `CREATE TABLE started_calls (
    scope TEXT PRIMARY KEY,
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    claim_id INTEGER NOT NULL,
    is_write INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    llm_tokens INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    effect_id INTEGER
  ) STRICT`,
  `CREATE INDEX started_calls_by_lineage ON started_calls (lineage_id, epoch)`,
  // In which order the script of a claim got answers that came while it waited for several (spec JO13). A row holds a part of the order,
  // which ends with its answer number `upto`; parts of one claim may overlap.
  `CREATE TABLE answer_orders (
    lineage_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    claim_id INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    names TEXT NOT NULL,
    PRIMARY KEY (lineage_id, epoch, claim_id, upto)
  ) STRICT`,
  `CREATE TABLE run_effects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL,
    lineage_id TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    resource_type TEXT NOT NULL,
    resource_id INTEGER,
    changes TEXT NOT NULL,
    at TEXT NOT NULL,
    customer_id INTEGER,
    maybe_twice INTEGER NOT NULL DEFAULT 0,
    is_first INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX run_effects_by_run ON run_effects (run_id, id)`,
  `CREATE INDEX run_effects_by_resource ON run_effects (resource_type, resource_id) WHERE resource_id IS NOT NULL`,
  `CREATE INDEX run_effects_by_customer ON run_effects (customer_id) WHERE customer_id IS NOT NULL`,
  `CREATE TABLE run_results (
    lineage_id TEXT NOT NULL,
    key TEXT NOT NULL,
    run_id INTEGER NOT NULL DEFAULT 0,
    asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (lineage_id, key)
  ) STRICT`,
  `CREATE TABLE lineage_memory (
    lineage_id TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    claim_id INTEGER NOT NULL DEFAULT 0,
    asked_by_claim_id INTEGER NOT NULL DEFAULT 0,
    made TEXT,
    epoch INTEGER,
    PRIMARY KEY (lineage_id, name)
  ) STRICT`,
  // The planned writes of dry runs (spec DR2).
  `CREATE TABLE planned_writes (
    lineage_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    warnings TEXT NOT NULL,
    is_outside INTEGER NOT NULL,
    at TEXT NOT NULL,
    status INTEGER NOT NULL,
    answer TEXT,
    effects TEXT NOT NULL,
    PRIMARY KEY (lineage_id, position)
  ) STRICT`,
  // What a recorded run needs besides its journal to be replayed: how each epoch began and which claim ended it, and in which order and at
  // which time of the script's clock its calls were answered.
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
    again INTEGER NOT NULL DEFAULT 0,
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
