import type { At } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { requireTask } from '../tasks/domain.ts';
import * as claims from './claim-store.ts';
import { type End, endRun, FINISHED, offerAgain } from './end.ts';
import * as lineages from './lineage-store.ts';
import { appendLines } from './log.ts';
import * as store from './store.ts';

/**
 * A run that waits for a person and whose worker was given back keeps its ended claim: it is not offered to anyone, and
 * keeps its place among the runs of its task, until `goOn`.
 */
export async function parkRun(ctx: Pick<Ctx, 'db' | 'now'>, run: store.RunRow, changes: store.RunChanges): Promise<void> {
  if (run.claim_id !== null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
  await store.updateRun(ctx.db, run.id, { ...changes, claimed_by: null, claimed_at: null });
}

/** A line of the server's own in the log of a run. */
export async function noteInLog(ctx: Pick<Ctx, 'db' | 'now'>, runId: number, line: string): Promise<void> {
  const run = await store.lockRun(ctx.db, runId);
  if (run) await store.updateRun(ctx.db, run.id, await appendLines(ctx, run, [{ kind: 'log', line }], { past: 'limit' }));
}

/** What the run waited for is there: where its worker was given back it is offered again, at no cost of attempts. */
export async function goOn(ctx: Ctx, run: store.RunRow, why: string): Promise<void> {
  const parked = run.claim_id !== null && (await claims.isClaimEnded(ctx.db, run.claim_id));
  const epoch = parked ? (await lineages.lockLineage(ctx.db, run.lineage_id))?.epoch : undefined;
  const line = parked ? `${why}: the run goes on from checkpoint ${epoch ?? 0}` : why;
  const log = await appendLines(ctx, run, [{ kind: 'log', line }], { past: 'limit' });
  if (parked) await offerAgain(ctx, run, run.attempt, log);
  else await store.updateRun(ctx.db, run.id, log);
}

/** Interrupts a run, whoever works on it, where `still` says so with its rows held. */
export async function interruptWaiting(
  services: Services,
  runId: number,
  still: (ctx: At) => Promise<boolean>,
  how: Pick<End, 'endReason' | 'errorMessage'>,
): Promise<void> {
  await services.transact(FINISHED, async (ctx) => {
    const { db } = ctx;
    const claimId = await claims.selectClaimId(db, runId);
    // The claim's row comes first in every transaction that touches a run.
    if (claimId !== null) await claims.holdClaimRow(ctx, claimId);
    const run = await store.lockRun(db, runId);
    if (run?.status !== 'running' || run.claim_id !== claimId || !(await still(ctx))) return;
    await endRun(ctx, await requireTask(db, run.task_id), run, { status: 'interrupted', result: null, ...how });
  });
}
