import type { Permission } from '../../../../contract/permissions.ts';
import type { Json } from '../../../../contract/run-events.ts';
import type { TaskRunEnd } from '../../../../contract/task-runs.ts';
import type { Db } from '../../../db/open.ts';
import type { Ctx, TaskActor } from '../../../verbs/context.ts';
import { missingForVersion } from '../../tasks/given.ts';
import * as lineages from '../rows/lineage-store.ts';
import { learnFrom, permissionsOfRun } from '../rows/output-permissions.ts';
import * as store from '../rows/store.ts';
import { continueRun } from './offer.ts';

type Awaiting = Pick<TaskActor, 'lineageId' | 'runId' | 'versionId'>;
type Ended = { status: string; endReason: string | null; errorMessage: string | null; result: string | null };

/**
 * How a run ended, as the script that waits for it is told, whose output may from now on contain what that run could read. The run may have
 * learnt more from others than it could read when the wait began, and more than the version of the waiting run may be given.
 */
export async function learnOutcome(db: Db, waiting: Awaiting, endedRunId: number, end: Ended): Promise<TaskRunEnd> {
  const missing = await learn(db, waiting, endedRunId);
  return missing.length > 0 ? withheld(missing) : outcomeOf(end);
}

/** Returns the read permissions for lack of which the waiting run is not given what the other one could read. */
export async function learn(db: Db, waiting: Awaiting, otherRunId: number): Promise<Permission[]> {
  const missing = await missingForVersion(db, waiting.versionId, await permissionsOfRun(db, otherRunId));
  if (missing.length === 0) await learnFrom(db, waiting, otherRunId);
  return missing;
}

function withheld(missing: readonly string[]): TaskRunEnd {
  const error_message = `its output may contain what needs ${missing.join(', ')}, which the author or the approver of the version of the waiting run did not hold`;
  return { status: 'withheld', end_reason: null, error_message, result: null };
}

function outcomeOf({ status, endReason, errorMessage, result }: Ended): TaskRunEnd {
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
    const awaiting = { lineageId: waiting.lineage_id, runId: waiting.id, versionId: waiting.version_id };
    const outcome = await learnOutcome(ctx.db, awaiting, runId, end);
    const answered_claim_id = waiting.claim_id;
    await lineages.keepOutcome(ctx.db, id, { answers: JSON.stringify(outcome), answered_at: ctx.now, answered_claim_id });
    // A run that has ended meanwhile may be resumed, and then finds the outcome.
    if (waiting.status === 'running') await continueRun(ctx, waiting, `run ${runId} ended ${end.status}`);
  }
}
