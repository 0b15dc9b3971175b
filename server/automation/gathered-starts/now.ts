import type { Ctx } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import { giveUp, settle } from './opening.ts';
import * as store from './store.ts';

type Place = { id: number; start_id: number };

/** Opens the run of a start that waits, at once. If it cannot open, it stays. */
export async function openNow(ctx: Ctx, place: Place): Promise<{ run_id: number }> {
  const { now_ms, ...row } = await lock(ctx, place);
  const outcome = await settle(ctx, row, now_ms, true);
  if ('runId' in outcome) return { run_id: outcome.runId };
  const reason = 'reason' in outcome ? outcome.reason : 'it waits';
  throw new Refusal('run_not_opened', `Start ${row.id} opened no run: ${reason}.`);
}

export async function drop(ctx: Ctx, place: Place): Promise<undefined> {
  const { now_ms: _, ...row } = await lock(ctx, place);
  await giveUp(ctx, row, { reason: 'an admin left it out', code: 'dropped', isFault: false });
  ctx.audit({
    resource: { type: 'task', id: row.task_id },
    changes: { gathered_start: [row.id, null] },
    summary: `Task ${row.task_id}: start ${row.id}, which had gathered ${row.items}, was left out`,
  });
}

async function lock(ctx: Ctx, { id: taskId, start_id: id }: Place) {
  const row = await store.lockStart(ctx.db, { taskId, id });
  if (!row) throw notFound('gathered start', id);
  return row;
}
