import type { InputOf } from '../../../contract/endpoint.ts';
import { events } from '../../../contract/events.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import { MAX_TRIGGERS_OF_TASK, Trigger } from '../../../contract/triggers.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValues } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { closeAll, derivedOf, gatheredOf, NOTHING, tellRemoved } from '../gathered-starts/domain.ts';
import { startErrors } from '../gathered-starts/rules.ts';
import { actsForAsker, takesOver } from '../parameters/domain.ts';
import { lockTask, requireAliveTask } from '../tasks/domain.ts';
import { refuseParameters } from '../tasks/executed.ts';
import { filterErrors, keyFault } from './rules.ts';
import type * as store from './store.ts';
import { triggers } from './store.ts';

export const recordVersions = {
  trigger: {
    version: async (db, params) =>
      (await triggers.find(db, { taskId: Number(params['id']), id: Number(params['trigger_id']) }))?.row_version ?? null,
    derived: async ({ db }, params) => {
      const row = await triggers.find(db, { taskId: Number(params['id']), id: Number(params['trigger_id']) });
      return row && (await derivedOf(db, 'trigger', row));
    },
  },
} satisfies RecordVersions;

type Place = { id: number; trigger_id: number };

export async function listTriggers(ctx: Ctx, taskId: number): Promise<Trigger[]> {
  const rows = await triggers.ofTask(ctx.db, taskId);
  const gathered = await gatheredOf(
    ctx.db,
    'trigger',
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...triggerOf(row), gathered: gathered(row.id) }));
}

export async function getTrigger(ctx: Ctx, { id: taskId, trigger_id: id }: Place): Promise<Trigger> {
  const row = await triggers.find(ctx.db, { taskId, id });
  if (!row) throw notFound('trigger', id);
  return { ...triggerOf(row), gathered: (await gatheredOf(ctx.db, 'trigger', [id]))(id) };
}

export async function createTrigger(
  ctx: Ctx,
  taskId: number,
  body: InputOf<Endpoints['ai_tasks.create_trigger']>['body'],
): Promise<Trigger> {
  await lockTask(ctx, taskId);
  const task = await requireAliveTask(ctx.db, taskId);
  refuseFilter(body);
  await refuseParameters(ctx, task, withEvent(body));
  if ((await triggers.count(ctx.db, taskId)) >= MAX_TRIGGERS_OF_TASK) {
    throw new Refusal('too_many', `Task ${taskId} has ${MAX_TRIGGERS_OF_TASK} triggers, the most that a task may have.`);
  }
  const id = await triggers.insert(ctx.db, {
    task_id: taskId,
    ...toColumns(body satisfies OnlyOf<typeof body, Columns>),
    last_error: null,
    created_by: actingAdmin(ctx).adminId,
    ...actsForAsker(ctx),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  noteCreated(ctx, 'trigger', { id, task_id: taskId, ...body }, body.event);
  return getTrigger(ctx, { id: taskId, trigger_id: id });
}

export async function updateTrigger(ctx: Ctx, place: Place, body: InputOf<Endpoints['ai_tasks.update_trigger']>['body']): Promise<Trigger> {
  const row = await triggers.lock(ctx, { taskId: place.id, id: place.trigger_id });
  if (!row) throw notFound('trigger', place.trigger_id);
  const task = await requireAliveTask(ctx.db, place.id);
  const before = triggerOf(row);
  const after = { ...before, ...given(body satisfies OnlyOf<typeof body, Columns>) };
  refuseFilter(after);
  if (after.enabled || body.parameters !== undefined || body.start) await refuseParameters(ctx, task, withEvent(after));
  const changes = changesBetween(before, after);
  if (changes['start']) await closeAll(ctx, 'trigger', row.id);
  if (Object.keys(changes).length > 0 || (await takesOver(ctx, before))) {
    const editor = actsForAsker(ctx);
    await triggers.update(ctx.db, row.id, { ...toColumns(after), last_error: null, ...editor, updated_at: ctx.now });
    if (editor.acts_for !== before.acts_for) changes['acts_for'] = [before.acts_for, editor.acts_for];
  }
  noteChanged(ctx, 'trigger', row.id, changes);
  return getTrigger(ctx, place);
}

export async function deleteTrigger(ctx: Ctx, place: Place): Promise<undefined> {
  const row = await triggers.lock(ctx, { taskId: place.id, id: place.trigger_id });
  if (!row) throw notFound('trigger', place.trigger_id);
  const { id, task_id, event, filter, parameters } = triggerOf(row);
  await tellRemoved(ctx, { kind: 'trigger', starter_id: id, task_id });
  await triggers.remove(ctx.db, row.id);
  noteDeleted(ctx, 'trigger', { id, task_id, event, filter, parameters }, event);
}

function refuseFilter({ event, filter, start }: Pick<Columns, 'event' | 'filter' | 'start'>): void {
  const errors = [...filterErrors(event, filter), ...startErrors(start, (name) => keyFault(event, name))];
  if (errors.length > 0) throw refuseValues(errors);
}

/** The parameters as a run would get them, with a placeholder for the event. */
function withEvent({ parameters, event: type, start }: Pick<Columns, 'parameters' | 'event' | 'start'>): JsonObject {
  const event = { id: 1, type, at: '', data: Object.fromEntries(Object.keys(events[type].data.shape).map((name) => [name, null])) };
  return { ...parameters, ...(start.batch ? { events: [event] } : { event }) };
}

type Columns = Pick<Trigger, 'event' | 'filter' | 'parameters' | 'enabled' | 'start'>;

function toColumns({ event, filter, parameters, enabled, start }: Columns) {
  return {
    ...{ event, filter: JSON.stringify(filter), parameters: JSON.stringify(parameters), enabled: enabled ? 1 : 0 },
    start_options: JSON.stringify(start),
  };
}

/** Without what it has gathered, which is no part of its row. */
function triggerOf({ row_version: _, start_options, ...row }: store.TriggerRow): Trigger {
  return Trigger.parse({
    ...row,
    filter: JSON.parse(row.filter),
    parameters: JSON.parse(row.parameters),
    enabled: row.enabled === 1,
    start: JSON.parse(start_options),
    gathered: NOTHING,
  });
}
