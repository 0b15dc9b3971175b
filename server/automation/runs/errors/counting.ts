import { createHash } from 'node:crypto';
import { dayIn } from '../../../values/dates.ts';
import type { Ctx } from '../../../verbs/context.ts';
import type { RunRow } from '../rows/store.ts';
import { isError, sameness } from './rules.ts';
import * as store from './store.ts';

/** `isTold`: the admins are told of this end, because the error is new or has come back. */
export type CountedError = { id: number; isTold: boolean };

/**
 * Counts a bad end in the group of its kind, in the transaction that ends the run; null if the end is none of the task's errors. Costs
 * nothing where a run ends well.
 */
export async function countError(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  run: Pick<RunRow, 'id' | 'task_id' | 'version_id' | 'dry_run' | 'replay_of_run_id'>,
  end: { status: string; endReason: string | null; errorMessage: string | null },
): Promise<CountedError | null> {
  if (!isError(run, end)) return null;
  const { id: runId, task_id: taskId, version_id: versionId } = run;
  const fingerprint = createHash('sha256').update(sameness(end)).digest('hex').slice(0, 32);
  const error = await store.countSeen(ctx.db, { taskId, versionId, runId, fingerprint, endReason: end.endReason, now: ctx.now });
  await store.countOfDay(ctx.db, { errorId: error.id, versionId, day: dayIn(ctx.now, ctx.settings.timezone) });
  return { id: error.id, isTold: error.state === 'open' && (error.count === 1 || error.returned_run_id === runId) };
}
