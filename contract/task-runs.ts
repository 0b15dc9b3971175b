import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject } from './run-events.ts';
import { StartOptions } from './start-options.ts';
import { Id, Timestamp, text } from './values.ts';

/** Runs that a run starts, of the tasks in its version's `may_start`. */

/** A run, with the runs that it resumes, may start so many others. */
export const RUN_STARTS_MAX = 100;
/** All runs to which one run has led, with itself, may start so many together, also over triggers and error handlers between them. */
export const CHAIN_STARTS_MAX = 1000;
/** So many runs may stand above a run, each of which started the next one. */
export const START_DEPTH_MAX = 5;

/** How a run ended that a script waited for; `result` is what its script returned. */
export const TaskRunEnd = z
  .object({
    status: z.string(),
    end_reason: z.string().nullable(),
    error_message: z.string().nullable(),
    result: Json,
  })
  .meta({ id: 'TaskRunEnd' });
export type TaskRunEnd = z.infer<typeof TaskRunEnd>;

export const taskRunsEndpoints = endpointsOf(
  {
    id: 'task_runs.start',
    method: 'POST',
    path: '/task-runs',
    undo: { irreversible: 'The run that it started has effects of its own. Take that run back.' },
    summary: `Start a run of a task that the version of the calling run may start; only runs can call it. A run and those that resume it may start ${RUN_STARTS_MAX}, all to which one run has led ${CHAIN_STARTS_MAX} together, and at most ${START_DEPTH_MAX} runs may stand above a run. A task that has led to the run is not started again`,
    permission: 'tasks_start',
    body: z.object({
      task: z.union([Id, text({ min: 1, max: 200 })]).meta({ description: 'The id or the name of a task in `may_start`' }),
      parameters: JsonObject.default({}),
      start: StartOptions.optional(),
    }),
    status: 201,
    response: z
      .object({
        run_id: Id.nullable().meta({ description: 'null: it opens later, or is left out because of its rate' }),
        task_id: Id,
        start_id: Id.nullable()
          .optional()
          .meta({ description: 'With `start`: what it has joined; null: its run is open, or it is left out' }),
        due_at: Timestamp.nullable()
          .optional()
          .meta({ description: 'When the start opens; null: others wait before it, or there is none' }),
      })
      .meta({ id: 'StartedTaskRun' }),
    refusals: [
      'task_start_not_allowed',
      'start_limit_reached',
      'start_depth_reached',
      'start_circular',
      'task_deleted',
      'too_many',
      'version_not_approved',
      'task_paused',
      'concurrency_limit',
    ],
  },
  {
    id: 'runner.await_run',
    method: 'POST',
    path: '/runner/runs/{run_id}/awaited-runs',
    summary: 'Wait for the end of a run that this one has started, or look for it; a repeat with the same key finds the same wait',
    permission: 'admin_api.runner.write',
    taskPermission: 'tasks_start',
    ownRun: true,
    body: z.object({
      /** `<epoch>/<fingerprint>/<occurrence>`, the same form as the journal key of a call. */
      key: z.string().regex(/^\d{1,9}\/[0-9a-f]{64}\/\d{1,9}$/),
      started_run_id: Id,
      sample: Json.optional().meta({ description: 'In a dry run, which starts nothing: the result that the script gets' }),
    }),
    response: z
      .object({ id: Id, end: TaskRunEnd.nullable(), ended_at: Timestamp.nullable() })
      .meta({ id: 'AwaitedTaskRun', description: '`id` names the wait, as that of a question names the question' }),
    audited: false,
    refusals: ['run_fenced', 'run_not_found', 'out_of_range', 'sample_required'],
  },
);
