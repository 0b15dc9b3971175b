import type { Statement } from '../dialect.ts';
import { gatheredStarts, runsToExpire } from '../schema/gathered-starts.ts';

/** Starts of triggers that are gathered, put off, limited in number or given up. */
export const statements: readonly Statement[] = [
  `ALTER TABLE triggers ADD COLUMN start_options TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE hooks ADD COLUMN start_options TEXT NOT NULL DEFAULT '{}'`,
  `ALTER TABLE hook_calls ADD COLUMN start_id INTEGER`,
  `ALTER TABLE runs ADD COLUMN start_by_ms INTEGER`,
  runsToExpire,
  ...gatheredStarts,
];
