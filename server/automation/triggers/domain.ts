import type { InputOf } from '../../../contract/endpoint.ts';
import { type EventType, events } from '../../../contract/events.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { JsonObject } from '../../../contract/run-events.ts';
import { type EventFilter, MAX_TRIGGERS_OF_TASK, Trigger } from '../../../contract/triggers.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValues } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { actsForAsker, takesOver } from '../parameters/domain.ts';
import { lockTask, requireAliveTask } from '../tasks/domain.ts';
import { refuseParameters } from '../tasks/executed.ts';
import { filterErrors } from './rules.ts';
import type * as store from './store.ts';
import { triggers } from './store.ts';

export const recordVersions = {
  trigger: {
    version: async (db, params) =>
      (await triggers.find(db, { taskId: Number(params['id']), id: Number(params['trigger_id']) }))?.row_version ?? null,
    derived: async ({ db }, params) =>
      (await triggers.find(db, { taskId: Number(params['id']), id: Number(params['trigger_id']) }))?.last_error ?? undefined,
  },
} satisfies RecordVersions;

type Place = { id: number; trigger_id: number };

export async function listTriggers(ctx: Ctx, taskId: number): Promise<Trigger[]> {
  return (await triggers.ofTask(ctx.db, taskId)).map(triggerOf);
}

export async function getTrigger(ctx: Ctx, { id: taskId, trigger_id: id }: Place): Promise<Trigger> {
  const row = await triggers.find(ctx.db, { taskId, id });
  if (!row) throw notFound('trigger', id);
  return triggerOf(row);
}

export async function createTrigger(
  ctx: Ctx,
  taskId: number,
  body: InputOf<Endpoints['ai_tasks.create_trigger']>['body'],
): Promise<Trigger> {
  await lockTask(ctx, taskId);
  const task = await requireAliveTask(ctx.db, taskId);
  refuseFilter(body);
  await refuseParameters(ctx, task, withEvent(body.parameters, body.event));
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
  if (after.enabled || body.parameters !== undefined) await refuseParameters(ctx, task, withEvent(after.parameters, after.event));
  const changes = changesBetween(before, after);
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
  await triggers.remove(ctx.db, row.id);
  const { id, task_id, event, filter, parameters } = triggerOf(row);
  noteDeleted(ctx, 'trigger', { id, task_id, event, filter, parameters }, event);
}

function refuseFilter({ event, filter }: { event: EventType; filter: EventFilter }): void {
  const errors = filterErrors(event, filter);
  if (errors.length > 0) throw refuseValues(errors);
}

/** The parameters as a run would get them, with a placeholder for the event. */
function withEvent(parameters: JsonObject, type: EventType): JsonObject {
  return {
    ...parameters,
    event: { id: 1, type, at: '', data: Object.fromEntries(Object.keys(events[type].data.shape).map((name) => [name, null])) },
  };
}

type Columns = Pick<Trigger, 'event' | 'filter' | 'parameters' | 'enabled'>;

function toColumns({ event, filter, parameters, enabled }: Columns) {
  return { event, filter: JSON.stringify(filter), parameters: JSON.stringify(parameters), enabled: enabled ? 1 : 0 };
}

function triggerOf({ row_version: _, ...row }: store.TriggerRow): Trigger {
  return Trigger.parse({
    ...row,
    filter: JSON.parse(row.filter),
    parameters: JSON.parse(row.parameters),
    enabled: row.enabled === 1,
  });
}
