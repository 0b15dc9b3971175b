import type { Statement } from '../dialect.ts';

/** Tasks that stand for scripts which are to run once. */
export const statements: readonly Statement[] = [`ALTER TABLE tasks ADD COLUMN one_off INTEGER NOT NULL DEFAULT 0`];
