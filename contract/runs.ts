import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { NextCursor } from './paging.ts';
import { EndReason, Json, JsonObject, REPORT_MAX_BYTES, RunReport, RunStatus } from './run-events.ts';
import { SOURCE_BODY_LIMIT, TaskSource } from './tasks.ts';
import { CalendarDate, clamped, Id, Timestamp, TimestampInput, text } from './values.ts';

/** Why an open run waits. */
export const WaitingReason = z.enum(['no_runner', 'runners_busy', 'concurrency', 'prompt', 'task', 'event', 'signal', 'sleep', 'retry']);
export type WaitingReason = z.infer<typeof WaitingReason>;

export const RestartedFrom = z
  .object({ run_id: Id, checkpoint: z.int() })
  .meta({ description: 'The run from one of whose checkpoints this one was started, and the number of that checkpoint' });

export const Run = z
  .object({
    id: Id,
    task_id: Id,
    task_name: z.string(),
    version_id: Id,
    draft: z.boolean().meta({ description: 'Whether the run executes a draft; its `version_id` then names no version of the task' }),
    version: z.int().nullable().meta({ description: 'Number of the version; null for a draft' }),
    status: RunStatus,
    parameters: z
      .string()
      .meta({ description: 'A JSON object; `{}` if a script or a hook has given them and the output of the run is withheld' }),
    log: z.string().meta({ description: 'One event as JSON on each line' }),
    last_checkpoint: z.string().nullable().meta({ description: 'A JSON object' }),
    error_message: z.string().nullable(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    attempt: z.int(),
    attempts: z.int().nullable().meta({ description: 'The most attempts that the run may come to; null until its first retry' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When the attempt begins that the run waits for (`waiting_reason` `retry`)',
    }),
    dry_run: z.boolean(),
    executor: z.enum(['runner', 'external']),
    claimed_by: z.string().nullable(),
    claimed_at: Timestamp.nullable(),
    resumed_from_run_id: Id.nullable(),
    resumed_by_run_id: Id.nullable(),
    restarted_from: RestartedFrom.nullable(),
    /** Whether the whole journal of the run is kept, so that it can be replayed. */
    record: z.boolean(),
    replay_of_run_id: Id.nullable(),
    applied_by_run_id: Id.nullable().meta({ description: 'The run that applied the plan of this dry run' }),
    undo_of_run_id: Id.nullable().meta({ description: 'The run that this one takes back' }),
    undone_by_run_id: Id.nullable().meta({ description: 'The newest run that took back what this one wrote, or a part of it' }),
    started_by: z.string(),
    waiting_reason: WaitingReason.nullable(),
    waiting_for: z.string().nullable().meta({
      description:
        'What the run waits for (`waiting_reason` `event` or `signal`), such as `order.paid` or `signal`; null if its output is withheld',
    }),
    waiting_until: Timestamp.nullable().meta({ description: 'When the wait for an event or a time ends in any case' }),
    end_reason: EndReason.nullable(),
    error_id: Id.nullable().meta({ description: 'The error with which it ended, among those of its task (`GET /errors/{id}`)' }),
    isolation: z.array(z.string()),
    progress: z.object({ current: z.int(), total: z.int(), label: z.string() }).nullable(),
    description: z.string().nullable().meta({ description: 'What the run is about, in one line, as its script has said' }),
    result: Json,
    withheld: z.array(z.string()).meta({
      description:
        'Read permissions that the run had and the caller lacks. If there are any, log, checkpoint, error message, progress, description, details and result are left out',
    }),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;

/** One run, with the field that no list has. */
export const WholeRun = Run.extend({
  details: z.string().nullable().meta({ description: 'What the script shows of the run, as Markdown' }),
}).meta({
  id: 'WholeRun',
});
export type WholeRun = z.infer<typeof WholeRun>;

/** A run in a list of many tasks' runs: without the two fields that may be long. */
export const RunRow = Run.omit({ log: true, last_checkpoint: true }).meta({ id: 'RunRow' });
export type RunRow = z.infer<typeof RunRow>;

/** A write of a run, and what it changed. */
export const RunEffect = z
  .object({
    call: z.int(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    resource: z.object({ type: z.string(), id: z.int().nullable() }),
    changes: z.record(z.string(), z.tuple([Json, Json])),
    /** True if an earlier request may already have had this effect, which can no longer be found out. */
    maybe_twice: z.boolean(),
    at: Timestamp,
  })
  .meta({ id: 'RunEffect' });
export type RunEffect = z.infer<typeof RunEffect>;

/** So many runs, and so many bytes of their logs, are searched for `q` in one request; one run is searched whatever its log's size. */
export const SEARCHED_RUNS = 2000;
export const SEARCHED_LOG_BYTES = 16 * 1024 * 1024;

/** Which runs of all tasks: those that meet all that is given. */
export const RunFilter = z
  .object({
    run_id: Id.optional().meta({ description: 'Only the run with this id, whichever task it is of; an empty list if there is none' }),
    task_id: Id.optional().meta({ description: 'Only runs of this task' }),
    status: text({ max: 32 }).optional(),
    end_reason: EndReason.optional().meta({ description: 'Only runs that ended for this reason' }),
    started_by: z
      .string()
      .refine((value) => /^(admin|schedule|trigger|hook|handler|run):\d{1,16}$/.test(value), {
        message: 'must be "admin:", "schedule:", "trigger:", "hook:", "handler:" or "run:" and an id',
        params: { code: 'invalid_value' },
      })
      .optional()
      .meta({ description: 'Only runs that this started, such as `schedule:3`' }),
    waiting_reason: WaitingReason.optional().meta({ description: 'Only open runs that wait for this reason' }),
    dry_run: z.boolean().optional().meta({ description: '`true`: only dry runs; `false`: no dry runs' }),
    since: TimestampInput.optional().meta({ description: 'Only runs that started at this time or later' }),
    from: CalendarDate.optional().meta({ description: 'Only runs that started on this day or later, in the time zone of the shop' }),
    to: CalendarDate.optional().meta({ description: 'Only runs that started on this day or earlier, in the time zone of the shop' }),
    q: text({ min: 1, max: 100, trim: true })
      .refine((value) => !/\p{Cc}/u.test(value), {
        message: 'must be one line, without control characters',
        params: { code: 'invalid_value' },
      })
      .optional()
      .meta({
        description: `Only runs whose log the caller may see and in which a message or description contains this text, in upper or lower case. One request searches at most ${SEARCHED_RUNS} runs that meet the other filters, and ${SEARCHED_LOG_BYTES / 1024 ** 2} MiB of their logs`,
      }),
  })
  .meta({ id: 'RunFilter' });
export type RunFilter = z.infer<typeof RunFilter>;

const StartRun = z
  .object({
    parameters: JsonObject.default({}),
    /** The current version, or for a dry run any version that was not rejected or revoked. Default: the current version. */
    version_id: Id.nullable().optional(),
    /** For a dry run: what to execute instead of a version. The starter must hold its permissions; it is deleted with its runs. */
    draft: TaskSource.nullable().optional(),
    resume_run_id: Id.nullable().optional(),
    /** With `resume_run_id`: `current` uses the task's current version instead of the version of the old run. */
    version: z.literal('current').optional(),
    /** With `resume_run_id`: `drop` resumes without the answers that were stored since the checkpoint. */
    journal: z.literal('drop').optional(),
    dry_run: z.boolean().optional(),
    executor: z.enum(['runner', 'external']).optional(),
    record: z.boolean().default(false),
    priority: z.int().min(-1000).max(1000).default(0),
  })
  .superRefine(({ draft, version_id, resume_run_id, dry_run }, ctx) => {
    const refuse = (name: string, message: string): void => {
      ctx.addIssue({ code: 'custom', path: [name], message, params: { code: 'invalid_value' } });
    };
    if (draft && version_id) refuse('draft', 'cannot be given together with version_id');
    if (resume_run_id) {
      const kept = 'cannot be given together with resume_run_id, because a run that resumes another keeps its version or draft';
      if (draft) refuse('draft', kept);
      if (version_id) refuse('version_id', kept);
    } else if (draft && dry_run !== true) {
      refuse('draft', 'is accepted only for a dry run ("dry_run": true)');
    }
  });

export const runsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_runs',
    method: 'GET',
    path: '/ai-tasks/{id}/runs',
    summary: 'Runs of a task, newest first; `log` holds the last 4 KiB of whole lines',
    permission: 'admin_api.ai_tasks.read',
    record: 'task',
    query: z.object({
      limit: clamped(1, 500, 50),
      before_id: Id.optional().meta({ description: 'Only runs that are older than this one' }),
    }),
    response: z.array(Run),
  },
  {
    id: 'ai_tasks.list_all_runs',
    method: 'GET',
    path: '/runs',
    summary:
      'List the runs of all tasks, newest first, page by page with a cursor. With `q`, a page may hold few runs or none although `next_cursor` leads on: the next page searches further',
    permission: 'admin_api.ai_tasks.read',
    query: RunFilter.extend({
      cursor: text({ max: 2000 }).optional().meta({ description: '`next_cursor` of the previous page' }),
      limit: z.int().min(1).max(100).default(50),
    }),
    response: z.object({ data: z.array(RunRow), next_cursor: NextCursor }).meta({ id: 'RunPage' }),
  },
  {
    id: 'ai_tasks.start_run',
    method: 'POST',
    path: '/ai-tasks/{id}/runs',
    summary: 'Start a run or a dry run, or resume an interrupted one',
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    body: StartRun,
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({ run_id: Id, version_id: Id }),
    location: '/ai-tasks/{id}/runs/{run_id}',
    refusals: [
      'task_deleted',
      'not_interrupted',
      'already_resumed',
      'journal_expired',
      'version_not_approved',
      'task_paused',
      'concurrency_limit',
      'run_not_found',
      'version_not_found',
      'unknown_permission',
      'permission_not_grantable',
      'permission_not_held',
      'task_not_found',
    ],
  },
  {
    id: 'ai_tasks.try_draft',
    method: 'POST',
    path: '/task-drafts/runs',
    summary: 'Start a dry run of a draft before there is a task for it',
    permission: 'admin_api.ai_tasks.write',
    body: z.object({ draft: TaskSource, parameters: JsonObject.default({}) }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({ task_id: Id, run_id: Id, version_id: Id }),
    location: '/ai-tasks/{task_id}/runs/{run_id}',
    refusals: ['unknown_permission', 'permission_not_grantable', 'permission_not_held', 'task_not_found'],
  },
  {
    id: 'ai_tasks.get_run',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}',
    summary: 'Get a run with its full log',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: WholeRun,
  },
  {
    id: 'ai_tasks.append_run_events',
    method: 'PATCH',
    path: '/ai-tasks/{id}/runs/{run_id}',
    summary: 'Append events to a running run',
    permission: 'admin_api.ai_tasks.write',
    ownRun: true,
    record: 'run',
    body: RunReport,
    reportsEpoch: true,
    bodyLimitBytes: REPORT_MAX_BYTES,
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
  },
  {
    id: 'ai_tasks.cancel_run',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/cancel',
    summary: 'Cancel a run',
    permission: 'admin_api.ai_tasks.write',
    record: 'run',
    status: 204,
    refusals: ['run_not_running'],
  },
  {
    id: 'ai_tasks.cancel_runs',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/cancel',
    summary: 'Cancel all open runs of a task',
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    response: z.object({ cancelled: z.int() }),
  },
  {
    id: 'ai_tasks.list_effects',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/effects',
    summary: 'List every write that the run made, in order',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    query: z.object({ after: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(100) }),
    response: z.array(RunEffect),
  },
  {
    id: 'ai_tasks.stream_run',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/stream',
    summary: 'Follow a run as Server-Sent Events',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    stream: true,
    sse: {
      description: 'The events of the run, then one `status` event at its end',
      events: {
        event: { description: 'One line of the log of the run', data: 'A logged event: `kind` and its fields' },
        details: {
          description: 'Sent at the beginning if there are details, and when the script sets them; it has no id',
          data: '{"markdown": string}',
        },
        status: { description: 'Sent once, when the run ends', data: '{"status": string, "error": string|null}' },
      },
      ends: true,
    },
  },
);
