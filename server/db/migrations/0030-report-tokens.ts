/**
 * A claim has one token for its script's calls and one for its runner's reports. A question stores the claim that was in force when it was
 * answered, because only that claim may still give the run back for it.
 */
export const statements: readonly string[] = [
  `ALTER TABLE run_claims ADD COLUMN report_token_hash TEXT`,
  `CREATE UNIQUE INDEX run_claims_by_report_token ON run_claims (report_token_hash)`,
  `ALTER TABLE run_prompts ADD COLUMN answered_claim_id INTEGER`,
];
