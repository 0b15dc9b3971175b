import type { Statement } from '../dialect.ts';
import { undo } from '../schema/undo.ts';

/** Writes of runs can be taken back. */
export const statements: readonly Statement[] = [`ALTER TABLE runs ADD COLUMN undo_of_run_id INTEGER`, ...undo];
