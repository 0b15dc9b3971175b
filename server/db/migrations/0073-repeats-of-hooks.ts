/** Whether a call that is made again gets the run of the first one: only where something makes the call known. */
export const statements: readonly string[] = [
  `ALTER TABLE hooks ADD COLUMN repeats TEXT NOT NULL DEFAULT 'each'`,
  `ALTER TABLE hooks ADD COLUMN raw_body INTEGER NOT NULL DEFAULT 0`,
  `UPDATE hooks SET repeats = 'once' WHERE verify IS NOT NULL OR idempotency_header IS NOT NULL`,
];
