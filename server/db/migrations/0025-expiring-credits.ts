/** An index by which the loop finds expired credit that is not yet in the ledger. */
export const statements: readonly string[] = [
  `CREATE INDEX credit_buckets_expiring ON credit_buckets (expires_at, customer_id) WHERE remaining_credits > 0 AND expires_at IS NOT NULL`,
];
