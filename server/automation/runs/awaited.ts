import type { Json } from '../../../contract/run-events.ts';
import type { TaskRunEnd } from '../../../contract/task-runs.ts';
import type { Ctx } from '../../verbs/context.ts';
import * as lineages from './lineage-store.ts';
import { continueRun } from './offer.ts';
import { learnFrom } from './reads.ts';
import * as store from './store.ts';

type Ended = { status: string; endReason: string | null; errorMessage: string | null; result: string | null };

/** How a run ended, as the script that waits for it is told. */
export function outcomeOf({ status, endReason, errorMessage, result }: Ended): TaskRunEnd {
  const value: Json = result === null ? null : JSON.parse(result);
  return { status, end_reason: endReason, error_message: errorMessage, result: value };
}

/**
 * Tells the runs that wait for this one how it ended, in the transaction that ends it. Here and in `awaitRun` the run that was started is
 * locked first, then the one that waits for it, then that one's lineage, so that no two deadlock.
 */
export async function tellAwaiting(ctx: Ctx, runId: number, end: Ended): Promise<void> {
  for (const { id, asked_by_run_id } of await lineages.selectAwaiting(ctx.db, runId)) {
    const waiting = await store.lockRun(ctx.db, asked_by_run_id);
    if (!waiting) throw new Error(`run ${asked_by_run_id}, which waits for run ${runId}, is not there`);
    // The run that has ended may itself have learnt more from others than it could read when the wait began.
    await learnFrom(ctx.db, { lineageId: waiting.lineage_id, runId: waiting.id }, runId);
    const answered_claim_id = waiting.claim_id;
    await lineages.keepOutcome(ctx.db, id, { answers: JSON.stringify(outcomeOf(end)), answered_at: ctx.now, answered_claim_id });
    // A run that has ended meanwhile may be resumed, and then finds the outcome.
    if (waiting.status === 'running') await continueRun(ctx, waiting, `run ${runId} ended ${end.status}`);
  }
}
