import type { Statement } from '../dialect.ts';

/** Which run took back what another one wrote. */
export const statements: readonly Statement[] = [
  `CREATE INDEX runs_undos ON runs (undo_of_run_id, id) WHERE undo_of_run_id IS NOT NULL AND dry_run = 0`,
];
