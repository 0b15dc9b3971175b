import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { Id, text } from './values.ts';

/** Runs that a run starts, of the tasks in its version's `may_start`. */

/** A run, with the runs that it resumes, may start so many others. */
export const RUN_STARTS_MAX = 100;
/** So many runs may stand above a run, each of which started the next one. */
export const START_DEPTH_MAX = 5;

export const taskRunsEndpoints = endpointsOf({
  id: 'task_runs.start',
  method: 'POST',
  path: '/task-runs',
  summary: `Start a run of a task that the version of the calling run may start; only runs can call it. A run and those that resume it may start ${RUN_STARTS_MAX}, and at most ${START_DEPTH_MAX} runs may stand above a run. A task that has led to the run is not started again`,
  permission: 'tasks_start',
  body: z.object({
    task: z.union([Id, text({ min: 1, max: 200 })]).meta({ description: 'The id or the name of a task in `may_start`' }),
    parameters: JsonObject.default({}),
  }),
  status: 201,
  response: z.object({ run_id: Id, task_id: Id }).meta({ id: 'StartedTaskRun' }),
  refusals: [
    'task_start_not_allowed',
    'start_limit_reached',
    'start_depth_reached',
    'start_circular',
    'task_deleted',
    'version_not_approved',
    'concurrency_limit',
  ],
  added: true,
});
