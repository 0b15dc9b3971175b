/**
 * On PostgreSQL, reads of runs are committed before they are on the disk. PostgreSQL empties an unlogged table when it recovers from a
 * crash, and a standby that takes over has no rows of it: so a claim whose sign is not the one in the table may have lost reads.
 */
export const statements: readonly (string | { sqlite: string[]; postgres: string[] })[] = [
  'ALTER TABLE run_claims ADD COLUMN crash_sign TEXT',
  {
    sqlite: [],
    postgres: ['CREATE UNLOGGED TABLE crash_signs (id bigint PRIMARY KEY CHECK (id = 1), sign text COLLATE "C" NOT NULL)'],
  },
];
