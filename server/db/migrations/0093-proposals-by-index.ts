import type { Statement } from '../dialect.ts';

/** Proposals are counted for each admin, and old ones deleted. */
export const statements: readonly Statement[] = [`CREATE INDEX tasks_one_off ON tasks (id) WHERE one_off = 1`];
