/** A run that ends badly may wait for another attempt. */
export const statements: readonly string[] = [
  'ALTER TABLE runs ADD COLUMN retries INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE runs ADD COLUMN attempts INTEGER',
  'ALTER TABLE runs ADD COLUMN retry_due_ms INTEGER',
  'CREATE INDEX runs_retries ON runs (retry_due_ms) WHERE retry_due_ms IS NOT NULL',
];
