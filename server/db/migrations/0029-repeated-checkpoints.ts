/**
 * Lets a checkpoint find out whether everything that an earlier attempt did since the last checkpoint was asked for again: the epoch in
 * which a claim began, the claim that last asked for a result, a question or a sleep, and the calls made inside a `once`, which are never
 * asked for again (spec JO6).
 */
export const statements: readonly string[] = [
  `ALTER TABLE run_claims ADD COLUMN epoch INTEGER`,
  `ALTER TABLE run_results ADD COLUMN asked_by_claim_id INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE run_prompts ADD COLUMN asked_by_claim_id INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE lineage_memory ADD COLUMN asked_by_claim_id INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE lineage_memory ADD COLUMN made TEXT`,
  `ALTER TABLE recorded_answers ADD COLUMN again INTEGER NOT NULL DEFAULT 0`,
];
