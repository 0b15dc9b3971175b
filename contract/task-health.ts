import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { CalendarDate, Id } from './values.ts';

/** Figures are kept as long as their runs, and no shop keeps runs for fewer days than a month unless it says so. */
export const HEALTH_DAYS_MAX = 90;

const Times = z.object({ p50: z.int(), p95: z.int() }).nullable();

const Figures = z.object({
  runs: z.int().meta({ description: 'Runs that ended; dry runs and replays are not counted' }),
  succeeded: z.int(),
  failed: z.int().meta({ description: 'With status `failed`, `timed_out` or `interrupted`' }),
  cancelled: z.int(),
  other: z.int().meta({ description: 'With a status that a client gave them' }),
  success_rate: z.number().nullable().meta({ description: 'Succeeded of those that succeeded or failed, 0 to 1; null: there were none' }),
  duration_ms: Times.meta({
    description:
      'How long runs were at work, without their waits for a runner or a person; of clients’ runs from start to end. Within 5 percent',
  }),
  waiting_ms: Times.meta({
    description: 'From the start of a run until a runner took it; null: a client drove each of them. Within 5 percent',
  }),
  effects_per_run: z.number().nullable(),
  tokens_per_run: z.number().nullable().meta({ description: 'Of language models' }),
});
export const HealthFigures = Figures.meta({ id: 'HealthFigures' });
export type HealthFigures = z.infer<typeof HealthFigures>;

const HealthDay = Figures.extend({ day: CalendarDate }).meta({ id: 'HealthDay' });

export const TaskHealth = Figures.extend({
  from: CalendarDate,
  to: CalendarDate,
  days: z.array(HealthDay).meta({ description: 'Days on which runs ended, in the time zone of the shop' }),
  versions: z
    .array(Figures.extend({ version_id: Id, version: z.int().nullable(), days: z.array(HealthDay) }).meta({ id: 'HealthOfVersion' }))
    .meta({ description: 'Newest first' }),
}).meta({ id: 'TaskHealth' });
export type TaskHealth = z.infer<typeof TaskHealth>;

export const taskHealthEndpoints = endpointsOf({
  id: 'ai_tasks.get_health',
  method: 'GET',
  path: '/ai-tasks/{id}/health',
  summary: 'How the runs of a task ended, how long they took and waited, and what they did, by day and by version',
  permission: 'admin_api.ai_tasks.read',
  record: 'task',
  query: z.object({
    days: z.int().min(1).max(HEALTH_DAYS_MAX).default(30).meta({ description: 'So many days, the last of which is today' }),
  }),
  response: TaskHealth,
});
