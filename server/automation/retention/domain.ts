import type { Db } from '../../db/open.ts';
import type { Retention } from '../../verbs/retention.ts';
import { forgetArtifacts } from '../artifacts/domain.ts';
import { forgetPlans } from '../dry-runs/domain.ts';
import { forgetAnswers, forgetEpochs } from '../recordings/domain.ts';
import { forgetComparisons } from '../replays/domain.ts';
import { forgetPrompts } from '../run-prompts/domain.ts';
import { deleteLineages, deleteRuns, findEnded, findForgettable, forgetLineages } from '../runs/life/deletion.ts';

/** Deletes the journal and seed of lineages whose last run ended long ago. Such a run can no longer be resumed (409 `journal_expired`). */
const journals: Retention = {
  days: ({ journal_days }) => journal_days,
  async deleteBatch({ db }, before, limit) {
    const lineageIds = await findForgettable(db, before, limit);
    if (lineageIds.length > 0) await forgetWork(db, lineageIds);
    return lineageIds.length;
  },
};

/** Deletes old runs, and each lineage together with its last run. */
const runs: Retention = {
  days: ({ run_days }) => run_days,
  async deleteBatch(at, before, limit) {
    const { db } = at;
    const runIds = await findEnded(db, before, limit);
    if (runIds.length === 0) return 0;
    await forgetAnswers(db, runIds);
    await forgetComparisons(db, runIds);
    const lineageIds = await deleteRuns(db, runIds);
    if (lineageIds.length === 0) return runIds.length;
    await forgetWork(db, lineageIds);
    await forgetArtifacts(at, lineageIds);
    await forgetPrompts(db, lineageIds);
    await deleteLineages(db, lineageIds);
    return runIds.length;
  },
};

export const runRetentions: readonly Retention[] = [journals, runs];

async function forgetWork(db: Db, lineageIds: readonly string[]): Promise<void> {
  await forgetLineages(db, lineageIds);
  await forgetPlans(db, lineageIds);
  await forgetEpochs(db, lineageIds);
}
