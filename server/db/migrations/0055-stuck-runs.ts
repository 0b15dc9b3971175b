/** A run without a sign of progress is told of: when the latest signs came, and the sign after which it was told. */
export const statements: readonly string[] = [
  'ALTER TABLE tasks ADD COLUMN stuck_minutes INTEGER',
  'CREATE INDEX tasks_watched ON tasks (id) WHERE stuck_minutes IS NOT NULL',
  'ALTER TABLE runs ADD COLUMN sign_ms INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE runs ADD COLUMN stuck_told_ms INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE lineages ADD COLUMN called_ms INTEGER NOT NULL DEFAULT 0',
];
