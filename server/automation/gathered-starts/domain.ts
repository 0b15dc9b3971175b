import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type Gathered, type GatheredStart, SHOWN_STARTS } from '../../../contract/start-options.ts';
import type { Db } from '../../db/open.ts';
import { writeLog } from '../../resources/audit/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { Retention } from '../../verbs/retention.ts';
import { requireTask } from '../tasks/domain.ts';
import { deleteOldTimes } from './rate-store.ts';
import * as store from './store.ts';

export const NOTHING: Gathered = { starts: 0, items: 0, next_due_at: null };

/** Each start forgets the times before the last minute; this forgets those that no start follows. */
export const retention: Retention = { days: () => 1, deleteBatch: deleteOldTimes };

/** What waits of each of these triggers or hooks. */
export async function gatheredOf(db: Db, kind: 'trigger' | 'hook', ids: readonly number[]): Promise<(id: number) => Gathered> {
  const counts = await store.countOf(db, kind, ids);
  return (id) => {
    const found = counts.get(id);
    return found ? { starts: found.starts, items: found.items, next_due_at: timeOf(found.next_ms) } : NOTHING;
  };
}

/** What a trigger or hook shows that its row version does not count; undefined: nothing. */
export async function derivedOf(db: Db, kind: 'trigger' | 'hook', { id, last_error }: { id: number; last_error: string | null }) {
  const gathered = (await gatheredOf(db, kind, [id]))(id);
  return last_error === null && gathered.starts === 0 ? undefined : { last_error, gathered };
}

export async function listStarts(ctx: Ctx, taskId: number): Promise<ResponseOf<Endpoints['ai_tasks.list_gathered_starts']>> {
  await requireTask(ctx.db, taskId);
  const { rows, total } = await store.listOfTask(ctx.db, taskId, SHOWN_STARTS);
  return { starts: rows.map(startOf), total };
}

/** What a starter has gathered is kept as it is: changed options hold for what comes from now on. */
export async function closeAll(ctx: Ctx, kind: 'trigger' | 'hook', id: number): Promise<void> {
  await store.closeAll(ctx.db, { kind, starter_id: id });
}

/** To be called before a trigger or hook is removed, which removes what it has gathered: the log tells of that. */
export async function tellRemoved(ctx: Ctx, { kind, starter_id, task_id }: store.Starter & { kind: 'trigger' | 'hook' }): Promise<void> {
  const { starts, items } = (await gatheredOf(ctx.db, kind, [starter_id]))(starter_id);
  if (starts === 0) return;
  const summary = `Task ${task_id}: ${kind} ${starter_id} was removed, so what it had gathered opened no run: ${items} in ${starts} starts`;
  const detail = { task_id, [`${kind}_id`]: starter_id, starts, gathered: items, reason: 'removed', reason_code: 'dropped' };
  await writeLog(ctx, { source: 'ai_task', action: `${kind}.skipped`, status: 'skipped', summary, detail });
}

export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function startOf(row: store.StartRow): GatheredStart {
  const { id, task_id, kind, trigger_id, hook_id, how, items } = row;
  return {
    ...{ id, task_id, kind, trigger_id, hook_id, how, items },
    started_by_task_id: kind === 'run' ? row.starter_id : null,
    // What a hook was sent or a script has chosen may tell of anybody.
    key: kind === 'trigger' && row.gather_key !== '' ? row.gather_key : null,
    first_at: new Date(row.first_ms).toISOString(),
    last_at: new Date(row.last_ms).toISOString(),
    due_at: timeOf(row.due_ms),
    expires_at: timeOf(row.expires_ms),
    waits_for: row.queued_ms === null ? 'time' : 'rate',
  };
}
