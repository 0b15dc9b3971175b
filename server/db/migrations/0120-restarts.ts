import type { Statement } from '../dialect.ts';
import { lineageCheckpoints } from '../schema/runs.ts';

/** Runs start again from stored checkpoints. */
export const statements: readonly Statement[] = [
  lineageCheckpoints,
  `ALTER TABLE lineage_memory ADD COLUMN epoch INTEGER`,
  `ALTER TABLE runs ADD COLUMN restarted_from_run_id INTEGER`,
  `ALTER TABLE runs ADD COLUMN restarted_from_epoch INTEGER`,
];
