import type { At } from '../../db/open.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { findTask, requireAlive } from './domain.ts';

/** Where a secret or a variable counts: for one task, or for all tasks of the shop (null). */
export type Scoped = { name: string; task_id: number | null };

/** Refuses the scope of a new record in a body: a task that does not exist (422) or is deleted (409). */
async function requireScope(ctx: Ctx, taskId: number | null): Promise<void> {
  if (taskId === null) return;
  const task = await findTask(ctx.db, { id: taskId });
  if (!task) throw refuseValue('task_not_found', '/task_id', `there is no task ${taskId}`);
  requireAlive(task);
}

/** Checks a new record among those that there are; `all` is called while no other such record can be made. */
export async function acceptScoped(
  ctx: Ctx,
  wanted: Scoped,
  { kind, most, all }: { kind: 'secret' | 'variable'; most: number; all: () => Promise<readonly Scoped[]> },
): Promise<{ created_by: number; created_by_name: string; created_at: string; updated_at: string }> {
  await requireScope(ctx, wanted.task_id);
  await lockAll(ctx, kind);
  const known = await all();
  if (known.some(({ name, task_id }) => name === wanted.name && task_id === wanted.task_id))
    throw refuseValue('duplicate', '/name', `there is already a ${kind} "${wanted.name}" of ${scopeText(wanted)}`);
  if (known.length >= most) throw new Refusal('too_many', `There are ${most} ${kind}s, the most that there may be; delete one first.`);
  const { adminId, name } = actingAdmin(ctx);
  return { created_by: adminId, created_by_name: name, created_at: ctx.now, updated_at: ctx.now };
}

/** From here to the end of the transaction nobody else makes such a record. */
export function lockAll({ db, dialect }: At, kind: 'secret' | 'variable'): Promise<void> {
  return dialect.lockName(db, `every ${kind}`);
}

export function scopeText({ task_id }: Scoped): string {
  return task_id === null ? 'the shop' : `task ${task_id}`;
}
