import type { At, Db } from '../../db/open.ts';
import type { Retention } from '../../verbs/retention.ts';
import { deleteProposals, findOldProposals } from '../approvals/proposals.ts';
import { forgetArtifacts } from '../artifacts/domain.ts';
import { forgetPlans } from '../dry-runs/domain.ts';
import { forgetAnswers, forgetEpochs } from '../recordings/domain.ts';
import { forgetComparisons } from '../replays/domain.ts';
import { forgetPrompts } from '../run-prompts/domain.ts';
import { errorCounts } from '../runs/errors/domain.ts';
import { deleteLineages, deleteRuns, findEnded, findForgettable, findRunsOfTasks, forgetLineages } from '../runs/life/deletion.ts';

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
    const runIds = await findEnded(at.db, before, limit);
    await forgetRuns(at, runIds);
    return runIds.length;
  },
};

/** Deletes proposals to run once that nobody applied, with their dry runs (spec MC9). */
const proposals: Retention = {
  days: () => 30,
  async deleteBatch(at, before, limit) {
    const taskIds = await findOldProposals(at.db, before, limit);
    if (taskIds.length === 0) return 0;
    await forgetRuns(at, await findRunsOfTasks(at.db, taskIds));
    await deleteProposals(at.db, taskIds);
    return taskIds.length;
  },
};

export const runRetentions: readonly Retention[] = [journals, runs, errorCounts, proposals];

async function forgetRuns(at: At, runIds: readonly number[]): Promise<void> {
  const { db } = at;
  if (runIds.length === 0) return;
  await forgetAnswers(db, runIds);
  await forgetComparisons(db, runIds);
  const lineageIds = await deleteRuns(db, runIds);
  if (lineageIds.length === 0) return;
  await forgetWork(db, lineageIds);
  await forgetArtifacts(at, lineageIds);
  await forgetPrompts(db, lineageIds);
  await deleteLineages(db, lineageIds);
}

async function forgetWork(db: Db, lineageIds: readonly string[]): Promise<void> {
  await forgetLineages(db, lineageIds);
  await forgetPlans(db, lineageIds);
  await forgetEpochs(db, lineageIds);
}
