/** Credit that has expired and is not in the ledger yet is found by whoever writes it there. */
export const statements: readonly string[] = [
  `CREATE INDEX credit_buckets_expiring ON credit_buckets (expires_at, customer_id) WHERE remaining_credits > 0 AND expires_at IS NOT NULL`,
];
