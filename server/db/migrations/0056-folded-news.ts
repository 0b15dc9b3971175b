/**
 * Notifications and mails of one kind about one task that follow one another are one, with their number. `fold_key` names the kind and the
 * task; of notifications, only the one that can still grow has it.
 */
export const statements: readonly string[] = [
  'ALTER TABLE notifications ADD COLUMN count INTEGER NOT NULL DEFAULT 1',
  'ALTER TABLE notifications ADD COLUMN fold_key TEXT',
  'CREATE UNIQUE INDEX notifications_growing ON notifications (fold_key) WHERE fold_key IS NOT NULL',
  'ALTER TABLE mails ADD COLUMN fold_key TEXT',
  'ALTER TABLE mails ADD COLUMN folded INTEGER NOT NULL DEFAULT 1',
  'ALTER TABLE mails ADD COLUMN planned_ms INTEGER',
  'CREATE INDEX mails_by_fold ON mails (fold_key, id) WHERE fold_key IS NOT NULL',
];
