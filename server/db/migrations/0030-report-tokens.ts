/**
 * A claim has a token for what its script asks and one for what its runner reports. A question remembers the claim in
 * force when it was answered: only that one may still give the run back for it.
 */
export const statements: readonly string[] = [
  `ALTER TABLE run_claims ADD COLUMN report_token_hash TEXT`,
  `CREATE UNIQUE INDEX run_claims_by_report_token ON run_claims (report_token_hash)`,
  `ALTER TABLE run_prompts ADD COLUMN answered_claim_id INTEGER`,
];
