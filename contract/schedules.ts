import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { TimeZone } from './settings.ts';
import { Id, Timestamp, text } from './values.ts';

/** Schedules: times at which a task runs by itself (spec SD1). */

const DEFAULT_CATCH_UP_SECONDS = 3600;
const MAX_CATCH_UP_SECONDS = 31 * 86_400;
export const MAX_SCHEDULES_OF_TASK = 100;
/** Largest number of times of one schedule that wait for its open run to end. */
export const MAX_QUEUED_TIMES = 1000;

const Cron = text({ min: 1, max: 200, trim: true }).meta({
  description: 'Five fields (minute, hour, day of the month, month, day of the week), or `@daily` and its kin',
  examples: ['30 2 * * MON-FRI'],
});
const CatchUpSeconds = z
  .int()
  .min(0)
  .max(MAX_CATCH_UP_SECONDS)
  .meta({ description: 'If no server was running at a scheduled time, one run makes up for it up to this many seconds later' });
const Overlap = z.enum(['skip', 'queue', 'allow']).meta({
  description:
    'What happens at a scheduled time while a run of the schedule is open: `skip` starts no run, `queue` starts one after that run has ended, `allow` starts one at once',
});

export const Schedule = z
  .object({
    id: Id,
    task_id: Id,
    cron: z.string(),
    timezone: z.string(),
    parameters: JsonObject,
    enabled: z.boolean(),
    overlap: Overlap,
    catch_up_seconds: z.int(),
    next_at: Timestamp.nullable(),
    queued: z.int().meta({ description: 'Number of scheduled times that wait for an open run of the schedule to end' }),
    last_run_id: Id.nullable(),
    last_at: Timestamp.nullable().meta({ description: 'When the schedule last started a run' }),
    last_error: z.string().nullable().meta({ description: 'Why the last scheduled time started no run; else null' }),
    created_by: Id,
    acts_for: Id.meta({ description: 'The admin for whom its runs act: the one who created or last changed the schedule' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

const read = 'admin_api.ai_tasks.read';
const write = 'admin_api.ai_tasks.write';

export const schedulesEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_schedules',
    method: 'GET',
    path: '/ai-tasks/{id}/schedules',
    summary: 'List the schedules of a task',
    permission: read,
    record: 'task',
    response: z.array(Schedule),
  },
  {
    id: 'ai_tasks.create_schedule',
    method: 'POST',
    path: '/ai-tasks/{id}/schedules',
    summary: 'Create a schedule: the task runs at the times of a cron expression',
    permission: write,
    record: 'task',
    body: z.object({
      cron: Cron,
      /** Default: the time zone of the shop. */
      timezone: TimeZone.optional(),
      parameters: JsonObject.default({}),
      enabled: z.boolean().default(true),
      overlap: Overlap.default('skip'),
      catch_up_seconds: CatchUpSeconds.default(DEFAULT_CATCH_UP_SECONDS),
    }),
    status: 201,
    response: Schedule,
    location: '/ai-tasks/{task_id}/schedules/{id}',
    refusals: ['task_deleted', 'too_many'],
  },
  {
    id: 'ai_tasks.get_schedule',
    method: 'GET',
    path: '/ai-tasks/{id}/schedules/{schedule_id}',
    summary: 'Get a schedule',
    permission: read,
    record: 'schedule',
    response: Schedule,
  },
  {
    id: 'ai_tasks.update_schedule',
    method: 'PATCH',
    path: '/ai-tasks/{id}/schedules/{schedule_id}',
    summary: 'Change a schedule, or switch it on or off',
    permission: write,
    record: 'schedule',
    body: z.object({
      cron: Cron.optional(),
      timezone: TimeZone.optional(),
      parameters: JsonObject.optional(),
      enabled: z.boolean().optional(),
      overlap: Overlap.optional(),
      catch_up_seconds: CatchUpSeconds.optional(),
    }),
    response: Schedule,
    refusals: ['task_deleted'],
  },
  {
    id: 'ai_tasks.delete_schedule',
    method: 'DELETE',
    path: '/ai-tasks/{id}/schedules/{schedule_id}',
    summary: 'Remove a schedule; its runs are kept',
    permission: write,
    record: 'schedule',
    status: 204,
  },
  {
    id: 'ai_tasks.list_upcoming',
    method: 'GET',
    path: '/ai-tasks/{id}/schedules/{schedule_id}/upcoming',
    summary: 'List the next times of a schedule, as if it were enabled',
    permission: read,
    record: 'schedule',
    query: z.object({ count: z.int().min(1).max(100).default(5) }),
    response: z.array(Timestamp),
  },
  {
    id: 'ai_tasks.preview_schedule',
    method: 'GET',
    path: '/ai-tasks/{id}/schedules/upcoming',
    summary: 'List the next times of a cron expression, before it is saved as a schedule',
    permission: read,
    record: 'task',
    query: z.object({
      cron: Cron,
      timezone: TimeZone.optional().meta({ description: 'Default: the time zone of the shop' }),
      count: z.int().min(1).max(100).default(5),
    }),
    response: z.array(Timestamp),
  },
);
