import type { Statement } from '../dialect.ts';

/** Which entry of the audit log an edit took back. */
export const statements: readonly Statement[] = [
  'ALTER TABLE audit_log ADD COLUMN undo_of_entry_id INTEGER',
  'CREATE INDEX audit_log_by_undo ON audit_log (undo_of_entry_id, id) WHERE undo_of_entry_id IS NOT NULL',
];
