import { sql } from 'kysely';
import type { Run } from '../../contract/runs.ts';
import type { Schedule } from '../../contract/schedules.ts';
import { scheduleClock } from '../../server/automation/schedules/firing.ts';
import type { TestApp } from './app.ts';
import { until } from './machines.ts';
import { makeTask } from './runs.ts';
import { servicesOf } from './services.ts';
import { letBeDueAgo } from './stored-rows/automation.ts';

type Body = Parameters<TestApp['client']['ai_tasks']['create_schedule']>[1];

/** A schedule that is not due while the tests run, unless a test makes it due. */
export const YEARLY = { cron: '0 4 1 1 *', timezone: 'UTC' };
export const WITHIN_MS = 240_000;

/** Makes schedules through the API, and makes them due at once. */
export function scheduleTools(app: () => TestApp) {
  const make = async (body: Partial<Body> = {}, taskId?: number): Promise<Schedule> =>
    app().client.ai_tasks.create_schedule(taskId ?? (await makeTask(app())), { ...YEARLY, ...body });
  const get = ({ task_id, id }: Schedule) => app().client.ai_tasks.get_schedule(task_id, id);
  const runsOf = ({ task_id }: Schedule): Promise<Run[]> => app().client.ai_tasks.list_runs(task_id);
  const logsOf = async (schedule: Schedule, action: string) =>
    (await app().client.logs.list({ source: 'ai_task' })).logs.filter(
      (one) => one.action === action && JSON.parse(one.detail ?? '{}').schedule_id === schedule.id,
    );
  /** Makes the schedule due since `agoMs` milliseconds ago. */
  const letBeDue = (schedule: Schedule, agoMs = 0): Promise<void> => letBeDueAgo(app().store, [schedule.id], agoMs);
  /** Waits until the server has handled the due time; returns the schedule. */
  const settled = (schedule: Schedule): Promise<Schedule> =>
    until(
      'the server has handled the due time',
      async () => {
        const { rows } = await sql<{ due_ms: number | null }>`SELECT due_ms FROM schedules WHERE id = ${schedule.id}`.execute(
          app().store.reader,
        );
        const due = rows[0]?.due_ms ?? null;
        return due === null || due > Date.now() ? get(schedule) : undefined;
      },
      WITHIN_MS,
    );
  /** Runs the schedules' loop once, without waiting for the server's own loop, which runs once a second. */
  const turn = async (): Promise<void> => scheduleClock(await servicesOf(app().store))();
  const dealtWith = async (schedule: Schedule): Promise<Schedule> => {
    await turn();
    return settled(schedule);
  };
  return { make, get, runsOf, logsOf, letBeDue, settled, turn, dealtWith };
}
