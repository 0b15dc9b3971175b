/** A task may name another one that runs when it ends badly, for the admin who set it. */
export const statements: readonly string[] = [
  'ALTER TABLE tasks ADD COLUMN handler_acts_for INTEGER',
  'ALTER TABLE tasks ADD COLUMN handler_reads_files INTEGER NOT NULL DEFAULT 0',
];
