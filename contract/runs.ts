import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { EndReason, Json, JsonObject, RunEvent, RunStatus, Used } from './run-events.ts';
import { clamped, Id, Timestamp } from './values.ts';

export const Run = z
  .object({
    id: Id,
    task_id: Id,
    version_id: Id,
    status: RunStatus,
    parameters: z.string().meta({ description: 'A JSON object' }),
    log: z.string().meta({ description: 'One JSON event a line' }),
    last_checkpoint: z.string().nullable().meta({ description: 'A JSON object' }),
    error_message: z.string().nullable(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    attempt: z.int(),
    dry_run: z.boolean(),
    executor: z.enum(['runner', 'external']),
    claimed_by: z.string().nullable(),
    claimed_at: Timestamp.nullable(),
    resumed_from_run_id: Id.nullable(),
    resumed_by_run_id: Id.nullable(),
    /** Whether its whole journal is kept, so that it can be replayed. */
    record: z.boolean(),
    replay_of_run_id: Id.nullable(),
    started_by: z.string(),
    waiting_reason: z.enum(['no_runner', 'runners_busy', 'concurrency', 'prompt']).nullable(),
    end_reason: EndReason.nullable(),
    isolation: z.array(z.string()),
    progress: z.object({ current: z.int(), total: z.int(), label: z.string() }).nullable(),
    result: Json,
    withheld: z.array(z.string()).meta({
      description:
        'What the run may have read and the caller may not: where there is any, log, checkpoint, error message, progress and result are left out',
    }),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

export const aiTasksListRuns = endpoint({
  id: 'ai_tasks.list_runs',
  method: 'GET',
  path: '/ai-tasks/{id}/runs',
  summary: 'Runs of a task, newest first; `log` holds the last 4 KiB of whole lines',
  permission: 'admin_api.ai_tasks.read',
  record: 'task',
  query: z.object({ limit: clamped(1, 500, 50) }),
  status: 200,
  response: z.array(Run),
});

export const aiTasksStartRun = endpoint({
  id: 'ai_tasks.start_run',
  method: 'POST',
  path: '/ai-tasks/{id}/runs',
  summary: 'Open a run, or resume an interrupted one',
  permission: 'admin_api.ai_tasks.write',
  record: 'task',
  body: z.object({
    parameters: JsonObject.default({}),
    resume_run_id: Id.nullable().optional(),
    /** With resume_run_id: `current` takes the task's current version instead of the old run's. */
    version: z.literal('current').optional(),
    /** With resume_run_id: `drop` goes on without the answers noted since the checkpoint. */
    journal: z.literal('drop').optional(),
    dry_run: z.boolean().optional(),
    executor: z.enum(['runner', 'external']).optional(),
    record: z.boolean().default(false),
    priority: z.int().min(-1000).max(1000).default(0),
  }),
  status: 201,
  response: z.object({ run_id: Id, version_id: Id }),
  location: '/ai-tasks/{id}/runs/{run_id}',
  refusals: [
    'task_deleted',
    'not_interrupted',
    'already_resumed',
    'journal_expired',
    'version_not_approved',
    'concurrency_limit',
    'run_not_found',
  ],
});

export const aiTasksGetRun = endpoint({
  id: 'ai_tasks.get_run',
  method: 'GET',
  path: '/ai-tasks/{id}/runs/{run_id}',
  summary: 'A run with its full log',
  permission: 'admin_api.ai_tasks.read',
  record: 'run',
  status: 200,
  response: Run,
});

export const aiTasksAppendRunEvents = endpoint({
  id: 'ai_tasks.append_run_events',
  method: 'PATCH',
  path: '/ai-tasks/{id}/runs/{run_id}',
  summary: 'Append events to a running run',
  permission: 'admin_api.ai_tasks.write',
  ownRun: true,
  record: 'run',
  body: z.object({
    events: z.array(RunEvent).max(1000),
    /** From a runner only: what the run has used so far. */
    used: Used.optional(),
  }),
  reportsEpoch: true,
  bodyLimitBytes: 4 * 1024 * 1024,
  status: 204,
  audited: false,
  refusals: [
    'run_not_running',
    'run_claimed',
    'run_fenced',
    'resume_mismatch',
    'events_after_finalize',
    'unknown_kind',
    'prompt_not_found',
    'log_too_large',
    'checkpoint_too_large',
  ],
});

export const aiTasksCancelRun = endpoint({
  id: 'ai_tasks.cancel_run',
  method: 'POST',
  path: '/ai-tasks/{id}/runs/{run_id}/cancel',
  summary: 'Cancel a run',
  permission: 'admin_api.ai_tasks.write',
  record: 'run',
  status: 204,
  refusals: ['run_not_running'],
  added: true,
});

export const aiTasksCancelRuns = endpoint({
  id: 'ai_tasks.cancel_runs',
  method: 'POST',
  path: '/ai-tasks/{id}/runs/cancel',
  summary: 'Cancel all open runs of a task',
  permission: 'admin_api.ai_tasks.write',
  record: 'task',
  status: 200,
  response: z.object({ cancelled: z.int() }),
  added: true,
});

export const aiTasksListEffects = endpoint({
  id: 'ai_tasks.list_effects',
  method: 'GET',
  path: '/ai-tasks/{id}/runs/{run_id}/effects',
  summary: 'Every write that the run made, in order',
  permission: 'admin_api.ai_tasks.read',
  record: 'run',
  query: z.object({ after: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(100) }),
  status: 200,
  response: z.array(
    z.object({
      call: z.int(),
      method: z.string(),
      path: z.string(),
      status: z.int(),
      resource: z.object({ type: z.string(), id: z.int().nullable() }),
      changes: z.record(z.string(), z.tuple([Json, Json])),
      /** An earlier request may have had this effect too: nobody can be asked. */
      maybe_twice: z.boolean(),
      at: Timestamp,
    }),
  ),
  added: true,
});

export const aiTasksStreamRun = endpoint({
  id: 'ai_tasks.stream_run',
  method: 'GET',
  path: '/ai-tasks/{id}/runs/{run_id}/stream',
  summary: 'Follow a run as Server-Sent Events',
  permission: 'admin_api.ai_tasks.read',
  record: 'run',
  status: 200,
  stream: true,
});
