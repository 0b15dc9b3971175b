import type { TimelineEntry } from '../../../contract/timeline.ts';
import { type Ctx, may } from '../../verbs/context.ts';
import { type By, byOf, type Found } from './entries.ts';
import { seesLogs } from './sources.ts';
import * as store from './store.ts';

type Actor = NonNullable<TimelineEntry['actor']>;

const NOBODY: Actor = { type: 'system', name: null, admin_id: null, run_id: null, task_id: null, task_name: null };

/** The entries with the names of who acted; of records that were made, the audit log tells who made them. */
export async function withActors(ctx: Ctx, found: readonly Found[]): Promise<TimelineEntry[]> {
  const told = await fromLog(ctx, found);
  const names = await namesOf(
    ctx,
    told.flatMap(({ by }) => by ?? []),
  );
  return told.map(({ entry, by }) => ({ ...entry, actor: by && actorOf(by, names) }));
}

async function namesOf(ctx: Ctx, all: readonly By[]) {
  const admins = all.flatMap((by) => (by.type === 'admin' && by.id !== null ? [by.id] : []));
  const runs = all.flatMap((by) => (by.type === 'admin' && by.runId ? [by.runId] : []));
  return {
    admins: await store.selectAdminNames(ctx.db, admins),
    tasks: may(ctx.actor, 'admin_api.ai_tasks.read')
      ? await store.selectTasks(ctx.db, runs)
      : new Map<number, { task_id: number; name: string }>(),
  };
}

function actorOf(by: By, names: Awaited<ReturnType<typeof namesOf>>): Actor | null {
  if (by.type === 'log') return null;
  if (by.type === 'named') return { ...NOBODY, type: 'admin', name: by.name };
  if (by.type === 'provider') return { ...NOBODY, type: 'provider', name: by.name };
  if (by.type !== 'admin') return { ...NOBODY, type: by.type };
  const admin = { admin_id: by.id, name: names.admins.get(by.id ?? 0)?.name ?? null };
  const runId = by.runId ?? null;
  if (runId === null) return { ...NOBODY, ...admin, type: 'admin' };
  const task = names.tasks.get(runId);
  return { type: 'task', ...admin, run_id: runId, task_id: task?.task_id ?? null, task_name: task?.name ?? null };
}

/** Who made the records of these entries and what an edit changed, for who may read the audit log; for others the entries of their own edits. */
async function fromLog(ctx: Ctx, found: readonly Found[]): Promise<Found[]> {
  const isShown = seesLogs(ctx);
  const makers = await makersOf(
    ctx,
    found.flatMap(({ by }) => (by?.type === 'log' && (isShown || by.action === 'orders.edit') ? [by] : [])),
  );
  return found.map((one) => {
    if (one.by?.type !== 'log') return one;
    const maker = makers.get(keyOf(one.by));
    const isEdit = maker !== undefined && one.by.action === 'orders.edit';
    const isOwn = ctx.actor.type === 'admin' && !ctx.actor.agent && maker?.actor_id === ctx.actor.adminId;
    const named = isEdit && (isShown || isOwn) ? { ...one.entry, entry_id: maker.id } : one.entry;
    if (!isShown) return { ...one, by: one.by.known ?? null, entry: named };
    // An order that no admin has taken by phone was placed by the customer.
    if (!maker) return { ...one, by: one.by.known ?? (one.by.action === 'orders.create' ? { type: 'customer' } : null) };
    return { ...one, by: byOf(maker), entry: isEdit ? { ...named, changes: JSON.parse(maker.changes) } : named };
  });
}

type Maker = Awaited<ReturnType<typeof store.selectMakers>>[number];

async function makersOf(ctx: Ctx, wanted: readonly Extract<By, { type: 'log' }>[]): Promise<Map<string, Maker>> {
  const makers = new Map<string, Maker>();
  for (const resource of new Set(wanted.map((by) => by.resource))) {
    const some = wanted.filter((by) => by.resource === resource);
    const rows = await store.selectMakers(
      ctx.db,
      resource,
      [...new Set(some.map(({ id }) => id))],
      [...new Set(some.map(({ action }) => action))],
    );
    for (const row of rows) makers.set(keyOf({ ...row, resource, id: row.resource_id }), row);
  }
  return makers;
}

/** An order is edited many times, each time at another moment; everything else is made once. */
function keyOf({ resource, id, action, at }: { resource: string; id: number | null; action: string; at: string }): string {
  return `${resource} ${id} ${action} ${action === 'orders.edit' ? at : ''}`;
}
