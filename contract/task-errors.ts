import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NextCursor } from './paging.ts';
import { EndReason, RunStatus } from './run-events.ts';
import { Run } from './runs.ts';
import { CalendarDate, Id, Search, Timestamp, text } from './values.ts';

/** Bad ends of runs in groups: those of a task that ended for the same reason, with the same message and in the same place (spec RE1). */

export const errorStates = ['open', 'ignored', 'resolved'] as const;
const ErrorState = z.enum(errorStates).meta({
  description:
    '`ignored`: nobody is told of it; `resolved`: it is open again once it is seen in a version later than `resolved_in_version`',
});

/** So many errors are searched for `q` in one request. */
export const SEARCHED_ERRORS = 500;
/** Of one error, so many versions, days and runs are shown, the newest. */
export const SHOWN_VERSIONS = 20;
export const SHOWN_DAYS = 30;
export const SHOWN_RUNS = 10;

export const TaskError = z
  .object({
    id: Id,
    task_id: Id,
    task_name: z.string(),
    state: ErrorState,
    resolved_in_version: z.int().nullable(),
    returned_at: Timestamp.nullable().meta({ description: 'When it last came back after it was resolved' }),
    end_reason: EndReason.nullable().meta({ description: 'null: a client drove the runs' }),
    count: z.int().meta({ description: 'How many runs ended with it' }),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    run_id: Id.meta({ description: 'The latest run that ended with it, which stands for all' }),
    status: RunStatus.meta({ description: 'Of that run' }),
    message: z.string().nullable().meta({ description: 'The first line of the error of that run; null: there is none, or it is withheld' }),
    withheld: z
      .array(z.string())
      .meta({ description: 'Read permissions that the run had and the caller lacks. If there are any, the message is left out' }),
    versions: z.array(z.object({ version_id: Id, version: z.int(), count: z.int() })).meta({
      description: `The versions that it was seen in, newest first; ${SHOWN_VERSIONS} at most`,
    }),
    days: z.array(z.object({ day: CalendarDate, count: z.int() })).meta({
      description: `The days of the last ${SHOWN_DAYS} on which it was seen, oldest first, in the time zone of the shop`,
    }),
  })
  .meta({ id: 'TaskError' });
export type TaskError = z.infer<typeof TaskError>;

const TaskErrorDetail = TaskError.extend({
  error_message: z.string().nullable().meta({ description: 'The whole error of that run, with the places in the script' }),
  runs: z
    .array(Run.pick({ id: true, version: true, status: true, started_at: true, finished_at: true, started_by: true }))
    .meta({ description: `The latest runs that ended with it; ${SHOWN_RUNS} at most` }),
}).meta({ id: 'TaskErrorDetail' });

export const taskErrorsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_errors',
    method: 'GET',
    path: '/errors',
    summary:
      'List the errors of all tasks in groups, last seen first, page by page with a cursor. With `q`, a page may hold few or none although `next_cursor` leads on: the next page searches further',
    permission: 'admin_api.ai_tasks.read',
    query: z.object({
      task_id: Id.optional().meta({ description: 'Only errors of this task' }),
      state: ErrorState.optional().meta({ description: 'Only errors that are open, ignored or resolved' }),
      version_id: Id.optional().meta({ description: 'Only errors that were seen in this version' }),
      version: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Only errors that were seen in a version with this number, which each task counts for itself' }),
      q: Search.optional().meta({
        description: `Only errors whose message the caller may see and contains this text, in upper or lower case. One request searches at most ${SEARCHED_ERRORS}`,
      }),
      cursor: text({ max: 2000 }).optional().meta({ description: '`next_cursor` of the previous page' }),
      limit: z.int().min(1).max(100).default(50),
    }),
    response: z.object({ data: z.array(TaskError), next_cursor: NextCursor }).meta({ id: 'TaskErrorPage' }),
  },
  {
    id: 'ai_tasks.get_error',
    method: 'GET',
    path: '/errors/{id}',
    summary: 'Get a group of errors with its latest runs',
    permission: 'admin_api.ai_tasks.read',
    record: 'task_error',
    response: TaskErrorDetail,
  },
  {
    id: 'ai_tasks.update_error',
    method: 'PATCH',
    path: '/errors/{id}',
    summary: 'Ignore an error, mark it as resolved, or open it again',
    permission: 'admin_api.ai_tasks.write',
    record: 'task_error',
    body: z.object({
      state: z.enum(errorStates),
      resolved_in_version: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'With `resolved`: the number of the version that mended it; default: the current version' }),
    }),
    response: TaskErrorDetail,
    refusals: ['version_not_found'],
  },
);
