import { JsonObject } from '../../../contract/run-events.ts';
import { MAX_QUEUED_TIMES } from '../../../contract/schedules.ts';
import { isPassing } from '../../db/faults.ts';
import { readsOf } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';
import { storeEvents, writeLog } from '../../resources/audit/domain.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { missedData, type NotOpened, type Opener, openUnattended, tellMissedStart, tellNotOpened } from '../runs/life/unattended.ts';
import { findTask } from '../tasks/domain.ts';
import { due } from './domain.ts';
import { judgeTimes, nextTime } from './rules.ts';
import * as store from './store.ts';

type Deps = Pick<Services, 'store' | 'transact' | 'log' | 'stopping'>;

/** After an error that is not a refusal, a schedule waits this long, so that it does not delay others. */
const PAUSE_MS = 60_000;
/** The same where the error was the store's and will pass, as when the disk was full or PostgreSQL started again. */
const SHORT_PAUSE_MS = 1000;

/**
 * Returns the function that each tick of the clock calls: it opens the runs that are due and those that were queued. Any
 * number of servers may call it.
 */
export function scheduleClock(deps: Deps): () => Promise<void> {
  const { store: data, stopping } = deps;
  return async () => {
    if (await store.isAnyDue(readsOf(data))) while (!stopping.aborted && (await fireNext(deps)));
    for (const id of await store.selectUnblocked(readsOf(data))) {
      if (!stopping.aborted) await openWaiting(deps, id);
    }
  };
}

/** Handles one due schedule in one transaction, so that its next time and the run are stored together or not at all. */
async function fireNext(deps: Deps): Promise<boolean> {
  const { store: data, log } = deps;
  let taken: number | undefined;
  try {
    return await deps.transact('ai_tasks.start_run', async (ctx) => {
      const schedule = await store.takeDue(ctx.db, {});
      taken = schedule?.id;
      if (!schedule) return false;
      await fire(ctx, schedule);
      return true;
    });
  } catch (error) {
    if (taken === undefined) throw error;
    const id = taken;
    log.error({ err: error, schedule_id: id }, 'a schedule failed; it is tried again later');
    await data.write((db) => store.postpone({ db, dialect: data.dialect }, id, isPassing(error) ? SHORT_PAUSE_MS : PAUSE_MS));
    return true;
  }
}

async function fire(ctx: Ctx, schedule: store.ScheduleRow & { now_ms: number }): Promise<void> {
  const { id, now_ms: nowMs, next_at: nextAt, catch_up_seconds: catchUpSeconds, overlap, queued } = schedule;
  const task = await findTask(ctx.db, { id: schedule.task_id });
  if (task?.deleted_at !== null) return switchOff(ctx, schedule);
  const next = due(nextTime(schedule, nowMs));
  const { opens, missed } = judgeTimes(schedule, { nextMs: Date.parse(nextAt ?? ctx.now), nowMs, catchUpSeconds });
  if (missed) await tellMissed(ctx, schedule, task, next.next_at);
  if (!opens) return store.noteTime(ctx.db, id, next);
  const openRunId = overlap === 'allow' ? null : await store.selectOpenRun(ctx.db, schedule);
  if (overlap === 'queue' && (openRunId !== null || queued > 0)) {
    if (queued < MAX_QUEUED_TIMES) return store.schedules.update(ctx.db, id, { ...next, queued: queued + 1 });
    return tellOutcome(
      ctx,
      schedule,
      {
        reason: `its open run has not ended, and ${MAX_QUEUED_TIMES} times are queued already, the most that a schedule may have`,
        code: 'queue_full',
        isFault: true,
      },
      next,
    );
  }
  const outcome =
    openRunId !== null
      ? { reason: `run ${openRunId}, which it opened before, is still open`, code: 'still_open' as const, isFault: false }
      : await openUnattended(ctx, openerOf(schedule), parametersOf(schedule));
  await tellOutcome(ctx, schedule, outcome, next);
}

/**
 * Opens a run for the oldest queued time, in one transaction. The schedule's row is locked before the check for an open run,
 * so that two servers cannot both find none.
 */
async function openWaiting(deps: Deps, id: number): Promise<void> {
  const { store: data, log } = deps;
  try {
    await deps.transact('ai_tasks.start_run', async (ctx) => {
      const schedule = await store.lockQueued(ctx, id);
      if (!schedule || (await store.selectOpenRun(ctx.db, schedule)) !== null) return;
      const task = await findTask(ctx.db, { id: schedule.task_id });
      if (task?.deleted_at !== null) return switchOff(ctx, schedule);
      const outcome = await openUnattended(ctx, openerOf(schedule), parametersOf(schedule));
      await tellOutcome(ctx, schedule, outcome, { queued: schedule.queued - 1 });
    });
  } catch (error) {
    log.error({ err: error, schedule_id: id }, 'a queued time of a schedule failed; it is tried again later');
    await data.write((db) => store.postponeQueue({ db, dialect: data.dialect }, id, isPassing(error) ? SHORT_PAUSE_MS : PAUSE_MS));
  }
}

function openerOf(schedule: store.ScheduleRow): Opener {
  return { kind: 'schedule', ...schedule };
}

function parametersOf({ parameters }: store.ScheduleRow): JsonObject {
  return JsonObject.parse(JSON.parse(parameters));
}

async function switchOff(ctx: Ctx, schedule: store.ScheduleRow): Promise<void> {
  const outcome = { reason: 'the task is deleted, so the schedule was switched off', code: 'task_deleted' as const, isFault: false };
  await tellNotOpened(ctx, openerOf(schedule), outcome, { at: schedule.next_at });
  await store.schedules.update(ctx.db, schedule.id, { ...due(null), enabled: 0, queued: 0, updated_at: ctx.now });
}

/** Stores the outcome of a time. `changes` are further columns to store. */
async function tellOutcome(
  ctx: Ctx,
  schedule: store.ScheduleRow,
  outcome: { runId: number } | NotOpened,
  changes: Partial<Pick<store.ScheduleRow, 'next_at' | 'due_ms' | 'queued'>>,
): Promise<void> {
  if ('runId' in outcome) {
    return store.schedules.update(ctx.db, schedule.id, { ...changes, last_run_id: outcome.runId, last_at: ctx.now, last_error: null });
  }
  await tellNotOpened(ctx, openerOf(schedule), outcome, { at: schedule.next_at });
  await store.schedules.update(ctx.db, schedule.id, { ...changes, last_error: outcome.reason });
}

/** A time that a schedule leaves out on purpose (`catch_up_seconds` 0) is an event too, but nobody is notified. */
async function tellMissed(
  ctx: Ctx,
  schedule: store.ScheduleRow,
  task: Pick<Row<'tasks'>, 'name' | 'current_version_id'>,
  next: string | null,
) {
  const { id, task_id, next_at, catch_up_seconds } = schedule;
  const reason = `missed ${next_at}, when no server was running; that is longer ago than its catch_up_seconds of ${catch_up_seconds}, so it is not made up for`;
  const summary = `Task "${task.name}": schedule ${id} ${reason}`;
  await writeLog(ctx, {
    source: 'ai_task',
    action: 'schedule.missed',
    status: 'skipped',
    summary,
    detail: { task_id, schedule_id: id, missed_at: next_at, next_at: next },
  });
  await storeEvents(ctx, [{ type: 'task.missed', data: missedData({ kind: 'schedule', id, task_id }, next_at, reason) }], null);
  if (catch_up_seconds === 0) return;
  const metadata = { task_id, schedule_id: id, at: next_at, reason, reason_code: 'missed' };
  await tellMissedStart(ctx, { id: task_id, name: task.name, versionId: task.current_version_id }, summary, metadata, `schedule ${id}`);
}
