import type { InputOf } from '../../../contract/endpoint.ts';
import type { aiTasksCancelRun, aiTasksCancelRuns } from '../../../contract/tasks.ts';
import type { Ctx } from '../../context.ts';
import { notFound, Refusal } from '../../problem.ts';
import { requireTask } from '../tasks/domain.ts';
import { type Ending, endRun } from './end.ts';
import * as store from './store.ts';

/** Cancelled at once; the run's token dies with its claim, and its runner learns at the next call or heartbeat. */
export function cancelRun(ending: Ending) {
  return async (ctx: Ctx, { params }: InputOf<typeof aiTasksCancelRun>): Promise<undefined> => {
    await cancelOne(ctx, ending, params.id, params.run_id);
  };
}

export function cancelRuns(ending: Ending) {
  return async (ctx: Ctx, { params }: InputOf<typeof aiTasksCancelRuns>): Promise<{ cancelled: number }> => {
    const open = await store.selectOpenRunIds(ctx.db, params.id);
    let cancelled = 0;
    for (const { id } of open) if (await cancelIfRunning(ctx, ending, params.id, id)) cancelled += 1;
    if (cancelled === 0)
      ctx.audit({ resource: { type: 'task', id: params.id }, changes: {}, summary: `Task ${params.id}: no open run to cancel` });
    return { cancelled };
  };
}

async function cancelOne(ctx: Ctx, ending: Ending, taskId: number, runId: number): Promise<void> {
  if (await cancelIfRunning(ctx, ending, taskId, runId)) return;
  const run = await store.selectRun(ctx.db, taskId, runId);
  throw new Refusal('run_not_running', `Run ${runId} is ${run?.status}.`);
}

async function cancelIfRunning(ctx: Ctx, ending: Ending, taskId: number, runId: number): Promise<boolean> {
  await holdClaimOf(ctx, taskId, runId);
  const run = await store.lockRun(ctx.db, runId);
  if (!run || run.task_id !== taskId) throw notFound('run', runId);
  if (run.status !== 'running') return false;
  await endRun(ctx, ending, await requireTask(ctx.db, taskId), run, {
    status: 'cancelled',
    errorMessage: null,
    endReason: 'cancelled',
    result: null,
  });
  ctx.audit({ resource: { type: 'run', id: runId }, changes: { status: ['running', 'cancelled'] }, summary: `Run ${runId} cancelled` });
  return true;
}

/** The claim's row comes first in every transaction that touches a run, so that none waits for another in a ring. */
async function holdClaimOf(ctx: Ctx, taskId: number, runId: number): Promise<void> {
  const run = await store.selectRun(ctx.db, taskId, runId);
  if (run?.claim_id != null) await store.endClaim(ctx.db, run.claim_id, ctx.now);
}
