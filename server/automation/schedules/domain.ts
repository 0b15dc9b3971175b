import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import type { Schedule } from '../../../contract/schedules.ts';
import * as contract from '../../../contract/schedules.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseParameter, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { actsForAsker, takesOver } from '../parameters/domain.ts';
import { lockTask, requireAliveTask, requireTask } from '../tasks/domain.ts';
import { refuseParameters } from '../tasks/executed.ts';
import { cronProblem, nextTime, type Timing, timesAfter } from './rules.ts';
import * as store from './store.ts';
import { schedules } from './store.ts';

export const recordVersions = {
  schedule: {
    version: async (db, params) =>
      (await schedules.find(db, { taskId: Number(params['id']), id: Number(params['schedule_id']) }))?.row_version ?? null,
    derived: async (ctx, params) => {
      const { next_at, last_run_id, last_at, last_error } = await getSchedule(ctx, {
        id: Number(params['id']),
        schedule_id: Number(params['schedule_id']),
      });
      return { next_at, last_run_id, last_at, last_error };
    },
  },
} satisfies RecordVersions;

type Place = { id: number; schedule_id: number };

export async function listSchedules(ctx: Ctx, taskId: number): Promise<Schedule[]> {
  return (await schedules.ofTask(ctx.db, taskId)).map(scheduleOf);
}

export async function getSchedule(ctx: Ctx, { id: taskId, schedule_id: id }: Place): Promise<Schedule> {
  const row = await schedules.find(ctx.db, { taskId, id });
  if (!row) throw notFound('schedule', id);
  return scheduleOf(row);
}

export async function createSchedule(
  ctx: Ctx,
  taskId: number,
  body: InputOf<Endpoints['ai_tasks.create_schedule']>['body'],
): Promise<Schedule> {
  await lockTask(ctx, taskId);
  const task = await requireAliveTask(ctx.db, taskId);
  const { cron, timezone = ctx.settings.timezone, parameters, enabled, overlap, catch_up_seconds, ...rest } = body;
  rest satisfies Record<string, never>;
  const timing = { cron, timezone };
  const nowMs = await store.selectNowMs(ctx);
  refuseCron(timing, nowMs);
  await refuseParameters(ctx, task, parameters);
  const { MAX_SCHEDULES_OF_TASK: most } = contract;
  if ((await schedules.count(ctx.db, taskId)) >= most) {
    throw new Refusal('too_many', `Task ${taskId} has ${most} schedules, the most that a task may have.`);
  }
  const id = await schedules.insert(ctx.db, {
    task_id: taskId,
    ...timing,
    parameters: JSON.stringify(parameters),
    enabled: enabled ? 1 : 0,
    overlap,
    catch_up_seconds,
    ...due(enabled ? nextTime(timing, nowMs) : null),
    last_run_id: null,
    last_at: null,
    last_error: null,
    created_by: actingAdmin(ctx).adminId,
    ...actsForAsker(ctx),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  noteCreated(ctx, 'schedule', { id, task_id: taskId, ...body, ...timing }, inWords(timing));
  return getSchedule(ctx, { id: taskId, schedule_id: id });
}

/** Changes a schedule. If its times change, they count from now: a time that was due earlier is not made up for. */
export async function updateSchedule(
  ctx: Ctx,
  place: Place,
  body: InputOf<Endpoints['ai_tasks.update_schedule']>['body'],
): Promise<Schedule> {
  const row = await schedules.lock(ctx, { taskId: place.id, id: place.schedule_id });
  if (!row) throw notFound('schedule', place.schedule_id);
  const task = await requireAliveTask(ctx.db, place.id);
  const before = scheduleOf(row);
  const { cron, timezone, parameters, enabled, overlap, catch_up_seconds, ...rest } = body;
  rest satisfies Record<string, never>;
  const after = { ...before, ...given(body) };
  const changes = changesBetween(before, after);
  const nowMs = await store.selectNowMs(ctx);
  refuseCron(after, nowMs);
  if (after.enabled || body.parameters !== undefined) await refuseParameters(ctx, task, after.parameters);
  if (Object.keys(changes).length > 0 || (await takesOver(ctx, before))) {
    const editor = actsForAsker(ctx);
    const moved = ['cron', 'timezone', 'enabled'].some((field) => changes[field]);
    await schedules.update(ctx.db, row.id, {
      cron: after.cron,
      timezone: after.timezone,
      parameters: JSON.stringify(after.parameters),
      enabled: after.enabled ? 1 : 0,
      overlap: after.overlap,
      catch_up_seconds: after.catch_up_seconds,
      ...(moved ? due(after.enabled ? nextTime(after, nowMs) : null) : {}),
      // Queued times belong to the earlier cron expression or overlap setting, so they are dropped.
      ...(moved || after.overlap !== 'queue' ? { queued: 0 } : {}),
      last_error: null,
      ...editor,
      updated_at: ctx.now,
    });
    if (editor.acts_for !== before.acts_for) changes['acts_for'] = [before.acts_for, editor.acts_for];
  }
  noteChanged(ctx, 'schedule', row.id, changes);
  return getSchedule(ctx, place);
}

export async function deleteSchedule(ctx: Ctx, place: Place): Promise<undefined> {
  const row = await schedules.lock(ctx, { taskId: place.id, id: place.schedule_id });
  if (!row) throw notFound('schedule', place.schedule_id);
  await schedules.remove(ctx.db, row.id);
  const { id, task_id, cron, timezone, parameters } = scheduleOf(row);
  noteDeleted(ctx, 'schedule', { id, task_id, cron, timezone, parameters }, inWords(row));
}

export async function listUpcoming(ctx: Ctx, place: Place, count: number): Promise<string[]> {
  const schedule = await getSchedule(ctx, place);
  return timesAfter(schedule, await store.selectNowMs(ctx), count).map((ms) => new Date(ms).toISOString());
}

/** The next times of a timing that is not saved yet. */
export async function previewSchedule(
  ctx: Ctx,
  taskId: number,
  { cron, timezone = ctx.settings.timezone, count }: InputOf<Endpoints['ai_tasks.preview_schedule']>['query'],
): Promise<string[]> {
  await requireTask(ctx.db, taskId);
  const timing = { cron, timezone };
  const nowMs = await store.selectNowMs(ctx);
  const problem = cronProblem(timing, nowMs);
  if (problem !== null) throw refuseParameter('invalid_value', 'cron', problem);
  return timesAfter(timing, nowMs, count).map((ms) => new Date(ms).toISOString());
}

function refuseCron(timing: Timing, nowMs: number): void {
  const problem = cronProblem(timing, nowMs);
  if (problem !== null) throw refuseValue('invalid_value', '/cron', problem);
}

/** The two columns that store the next time. */
export function due(nextMs: number | null): Pick<store.ScheduleRow, 'next_at' | 'due_ms'> {
  return { next_at: nextMs === null ? null : new Date(nextMs).toISOString(), due_ms: nextMs };
}

function inWords({ cron, timezone }: Timing): string {
  return `${cron} ${timezone}`;
}

function scheduleOf({ due_ms: _, queue_due_ms: __, reads_files: ___, row_version: ____, ...row }: store.ScheduleRow): Schedule {
  return { ...row, parameters: JsonObject.parse(JSON.parse(row.parameters)), enabled: row.enabled === 1 };
}
