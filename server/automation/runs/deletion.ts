import type { Db } from '../../db/open.ts';
import * as lineages from './lineage-store.ts';
import * as store from './store.ts';

/** Lineages with a journal whose last run ended before. */
export function findForgettable(db: Db, before: string, limit: number): Promise<string[]> {
  return lineages.selectForgettable(db, before, limit);
}

/** Takes from lineages what their runs would go on with. */
export function forgetLineages(db: Db, ids: readonly string[]): Promise<void> {
  return lineages.forgetLineages(db, ids);
}

/** Runs that ended before, the longest ago first. */
export function findEnded(db: Db, before: string, limit: number): Promise<number[]> {
  return store.selectEnded(db, before, limit);
}

/** Deletes runs with all that is theirs alone; returns the lineages that are left without a run. */
export async function deleteRuns(db: Db, ids: readonly number[]): Promise<string[]> {
  return lineages.selectRunless(db, await store.deleteRuns(db, ids));
}

export function deleteLineages(db: Db, ids: readonly string[]): Promise<void> {
  return lineages.deleteLineages(db, ids);
}
