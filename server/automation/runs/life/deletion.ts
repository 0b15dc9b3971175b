import type { Db } from '../../../db/open.ts';
import { forgetDrafts } from '../../tasks/executed.ts';
import { forgetErrorsOf } from '../errors/domain.ts';
import * as lineages from '../rows/lineage-store.ts';
import * as store from '../rows/store.ts';

/** Deletes what runs of these lineages would need to be resumed: journal, memory, results and seed. */
/** Lineages that still have a journal although their last run ended before this time. */
export { forgetLineages, selectForgettable as findForgettable } from '../rows/lineage-store.ts';

/** Runs that ended before this time, oldest end first. */
export { selectEnded as findEnded, selectOfTasks as findRunsOfTasks } from '../rows/store.ts';

/** Deletes runs with their logs, effects, claims and drafts; returns the lineages that have no run left. */
export async function deleteRuns(db: Db, ids: readonly number[]): Promise<string[]> {
  const { lineageIds, versionIds } = await store.deleteRuns(db, ids);
  await forgetErrorsOf(db, ids);
  await forgetDrafts(db, versionIds);
  return lineages.selectRunless(db, lineageIds);
}

export { deleteLineages } from '../rows/lineage-store.ts';
