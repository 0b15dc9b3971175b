import type { InputOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import type { Row } from '../../../db/tables.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { notFound, Refusal } from '../../../verbs/problem.ts';
import { requireTask } from '../../tasks/domain.ts';
import * as claims from '../rows/claim-store.ts';
import * as store from '../rows/store.ts';
import { endRun } from './end.ts';

/** Cancels a run at once. The run's token ends with its claim, and its runner learns of the end at the next call or heartbeat. */
export async function cancelRun(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.cancel_run']>): Promise<undefined> {
  if (await cancelIfRunning(ctx, await requireTask(ctx.db, params.id), params.run_id, 'cancelled')) return;
  const run = await store.selectRun(ctx.db, params.id, params.run_id);
  throw new Refusal('run_not_running', `Run ${params.run_id} is ${run?.status}.`);
}

export async function cancelRuns(ctx: Ctx, { params }: InputOf<Endpoints['ai_tasks.cancel_runs']>): Promise<{ cancelled: number }> {
  const task = await requireTask(ctx.db, params.id);
  const cancelled = await cancelAll(ctx, task, await store.selectOpenRunIds(ctx.db, task.id), 'cancelled');
  if (cancelled === 0)
    ctx.audit({ resource: { type: 'task', id: params.id }, changes: {}, summary: `Task ${params.id}: no open run to cancel` });
  return { cancelled };
}

/** Cancels the open runs of a version that is rejected or revoked in this transaction. */
export async function cancelRunsOfVersion(ctx: Ctx, task: Row<'tasks'>, versionId: number, reason: 'rejected' | 'revoked'): Promise<void> {
  await cancelAll(ctx, task, await store.selectOpenRunIds(ctx.db, task.id, versionId), reason);
}

/** Why a run is cancelled: somebody asked for it, or its version was decided against. */
type Reason = 'cancelled' | 'rejected' | 'revoked';

async function cancelAll(ctx: Ctx, task: Row<'tasks'>, runs: readonly { id: number }[], reason: Reason): Promise<number> {
  let cancelled = 0;
  for (const { id } of runs) if (await cancelIfRunning(ctx, task, id, reason)) cancelled += 1;
  return cancelled;
}

async function cancelIfRunning(ctx: Ctx, task: Row<'tasks'>, runId: number, reason: Reason): Promise<boolean> {
  await endClaimOf(ctx, task.id, runId);
  const run = await store.lockRun(ctx.db, runId);
  if (!run || run.task_id !== task.id) throw notFound('run', runId);
  if (run.status !== 'running') return false;
  const endReason = reason === 'revoked' ? 'revoked' : 'cancelled';
  await endRun(ctx, task, run, { status: 'cancelled', errorMessage: null, endReason, result: null });
  ctx.audit({
    resource: { type: 'run', id: runId },
    changes: { status: ['running', 'cancelled'], end_reason: [null, endReason] },
    summary: `Run ${runId} cancelled${reason === 'cancelled' ? '' : `: its version was ${reason}`}`,
  });
  return true;
}

/**
 * Ends the run's claim before the run is locked: every transaction locks the claim's row first and the run's second, so that
 * no two deadlock.
 */
async function endClaimOf(ctx: Ctx, taskId: number, runId: number): Promise<void> {
  const run = await store.selectRun(ctx.db, taskId, runId);
  if (run?.claim_id != null) await claims.endClaim(ctx.db, run.claim_id, ctx.now);
}
