import type { SaidBefore, StoredSaid } from '../../../../contract/run-events.ts';
import type { At } from '../../../db/open.ts';
import type { Services } from '../../../services.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { requireTask } from '../../tasks/domain.ts';
import { appendLines } from '../log/log.ts';
import * as claims from '../rows/claim-store.ts';
import * as lineages from '../rows/lineage-store.ts';
import * as store from '../rows/store.ts';
import { type End, endRun, FINISHED } from './end.ts';

/**
 * Gives back the worker of a run that waits. The run keeps its ended claim, so that it is not offered to any runner and keeps its place among
 * its task's runs, until `continueRun` is called. `said`: what its script has said since the last checkpoint, which it says again then.
 */
export async function parkRun(
  ctx: Pick<Ctx, 'db' | 'now'>,
  run: store.RunRow,
  changes: store.RunChanges,
  said: SaidBefore | null,
): Promise<void> {
  if (run.claim_id !== null) {
    await claims.endClaim(ctx.db, run.claim_id, ctx.now);
    if (said) await claims.noteSaid(ctx.db, run, JSON.stringify({ ...said, whole: true } satisfies StoredSaid));
    await lineages.keepPassing(ctx.db, { lineageId: run.lineage_id });
  }
  await store.updateRun(ctx.db, run.id, { ...changes, claimed_by: null, claimed_at: null });
}

/** Adds a line of the server's own to the log of a run. */
export async function noteInLog(ctx: Pick<Ctx, 'db' | 'now' | 'after' | 'services'>, runId: number, line: string): Promise<void> {
  const run = await store.lockRun(ctx.db, runId);
  if (run) await store.updateRun(ctx.db, run.id, await appendLines(ctx, run, [{ kind: 'log', line }], { source: 'server' }));
}

/** Interrupts a running run, whether a runner or a client drives it, if `still` confirms the reason while the run's rows are locked. */
export async function interruptWaiting(
  services: Services,
  runId: number,
  still: (ctx: At) => Promise<boolean>,
  how: Pick<End, 'endReason' | 'errorMessage'>,
): Promise<void> {
  await services.transact(FINISHED, async (ctx) => {
    const { db } = ctx;
    const claimId = await claims.selectClaimId(db, runId);
    // Every transaction locks the claim's row before the run's, so that no two deadlock.
    if (claimId !== null) await claims.holdClaimRow(ctx, claimId);
    const run = await store.lockRun(db, runId);
    if (run?.status !== 'running' || run.claim_id !== claimId || !(await still(ctx))) return;
    await endRun(ctx, await requireTask(db, run.task_id), run, { status: 'interrupted', result: null, ...how });
  });
}
