/** Calls of runs that ask somebody outside and have begun but not ended, and the tokens that completions cost (spec JO9, SF11). */
export const statements: readonly string[] = [
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
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX started_calls_by_lineage ON started_calls (lineage_id, epoch)`,
  `ALTER TABLE lineages ADD COLUMN llm_tokens INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_effects ADD COLUMN maybe_twice INTEGER NOT NULL DEFAULT 0`,
];
