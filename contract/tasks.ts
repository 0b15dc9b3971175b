import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Evidence } from './evidence.ts';
import { Grants, ShownGrants } from './grants.ts';
import { TaskPermissions } from './permissions.ts';
import { EndReason, Json, RunStatus } from './run-events.ts';
import { Limits } from './runner.ts';
import { RETRY_MAX_MS } from './script-library.ts';
import { SourceWarning } from './source-warning.ts';
import { Trial, VersionTrial } from './trials.ts';
import { clamped, Id, Name, Search, Timestamp, text } from './values.ts';

export const SOURCE_MAX_BYTES = 1024 * 1024;
export const SOURCE_BODY_LIMIT = 3 * 1024 * 1024;

/** Kinds of parameters are open: values of known kinds are checked, those of other kinds are accepted unchecked (spec TK9). */
export const ParameterDeclaration = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must begin with a letter or _, followed by letters, digits and _; at most 64 characters'),
    kind: z.string().regex(/^[a-z_]{1,32}$/, 'must be 1 to 32 lower-case letters and _'),
    label: text().optional(),
    required: z.boolean().optional(),
    default: Json.optional(),
    options: z.array(Json).max(1000).optional(),
  })
  .meta({ id: 'ParameterDeclaration' });
export type ParameterDeclaration = z.infer<typeof ParameterDeclaration>;

const Parameters = z
  .array(ParameterDeclaration)
  .max(100)
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    list.forEach(({ name }, index) => {
      if (seen.has(name)) {
        ctx.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is declared twice`, params: { code: 'duplicate' } });
      }
      seen.add(name);
    });
  });

const SourceCode = z
  .string()
  .min(1)
  .refine((source) => new TextEncoder().encode(source).length <= SOURCE_MAX_BYTES, {
    message: `must have at most ${SOURCE_MAX_BYTES} bytes`,
    params: { code: 'too_long' },
  })
  .refine((source) => !source.includes('\u0000'), { message: 'must not contain U+0000', params: { code: 'invalid_value' } });

/** What a version or a draft executes and may do. */
export const TaskSource = z.object({ source_code: SourceCode, permissions: TaskPermissions, parameters: Parameters, ...Grants.shape });

/** What the author says about a version, for those who decide on it or look for a change later. */
const Note = text({ max: 1000, trim: true });

/** Ends after which a run may get another attempt. Any other end is final, because the same attempt would end the same way. */
export const RetriedReason = EndReason.extract([
  'script_error',
  'heap',
  'cpu',
  'wall',
  'budget',
  'lost_runner',
  'lost_worker',
  'drained',
  'sandbox',
]);

/** When a run that ends badly gets another attempt (docs/tasks.md, Retries). */
export const Retry = z.object({
  /** The first attempt counts too, so 1 means none after it. */
  attempts: z.int().min(1).max(20),
  backoff: z.enum(['exponential', 'fixed']),
  first_ms: z.int().min(0).max(RETRY_MAX_MS),
  max_ms: z.int().min(0).max(RETRY_MAX_MS),
  on: z.array(RetriedReason).superRefine((reasons, ctx) => {
    reasons.forEach((reason, index) => {
      if (reasons.indexOf(reason) !== index)
        ctx.addIssue({ code: 'custom', path: [index], message: `"${reason}" is named twice`, params: { code: 'duplicate' } });
    });
  }),
});
export type Retry = z.infer<typeof Retry>;

const { shape: limit } = Limits;
/** A change of a task's own limits; those that are not named stay. */
export const LimitsChange = z
  .object({
    heap_mib: limit.heap_mib.nullable(),
    cpu_seconds: limit.cpu_seconds.nullable(),
    wall_seconds: limit.wall_seconds.nullable(),
    host_calls: limit.host_calls.nullable(),
    writes: limit.writes,
    log_bytes: limit.log_bytes.nullable(),
    llm_tokens: limit.llm_tokens.nullable(),
    dry_run_writes: limit.dry_run_writes.nullable(),
  } satisfies Record<keyof Limits, z.ZodType>)
  .partial()
  .meta({ description: 'null: the task has no limit of its own any more, and the default holds again' });
export type LimitsChange = z.infer<typeof LimitsChange>;

/** Limits, attempts and concurrency of a task (spec TK10). */
export const TaskSettings = z.object({
  limits: Limits.partial(),
  max_attempts: z.int().min(1).max(1000),
  on_interrupt: z.enum(['hold', 'resume']),
  retry: Retry,
  /** The task that runs when a run of this one ends badly; it gets what happened as the parameter `event`. */
  error_handler: z.object({ task_id: Id }).nullable(),
  /** A run that has given no sign of progress for so long is told of: no call, log line, progress report or checkpoint. null: none is. */
  stuck_minutes: z.int().min(1).max(10_080).nullable(),
  concurrency: z.object({
    limit: z.int().min(1).max(1000).nullable(),
    key: z.string().max(64).nullable(),
    overflow: z.enum(['queue', 'skip']),
  }),
  /** How a new version is watched while it is new (docs/tasks.md, Trials). null: it is not. */
  trial: Trial.nullable(),
});
export type TaskSettings = z.infer<typeof TaskSettings>;

/** A change of a task's settings; those that are not named stay. */
export const TaskSettingsChange = TaskSettings.extend({
  limits: LimitsChange,
  retry: Retry.partial(),
  concurrency: TaskSettings.shape.concurrency.partial(),
  trial: Trial.partial().nullable(),
}).partial();

export const defaultTaskSettings: TaskSettings = {
  limits: {},
  max_attempts: 3,
  on_interrupt: 'hold',
  retry: {
    attempts: 1,
    backoff: 'exponential',
    first_ms: 10_000,
    max_ms: 3_600_000,
    on: ['script_error', 'lost_runner', 'lost_worker', 'drained'],
  },
  error_handler: null,
  stuck_minutes: null,
  concurrency: { limit: null, key: null, overflow: 'queue' },
  trial: null,
};

export const Task = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    current_version_id: Id.nullable(),
    deleted_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    settings: TaskSettings,
    error_handler_acts_for: Id.nullable().meta({
      description: 'The admin for whom the runs of the error handler act; null: there is none',
    }),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof Task>;

/** Dry runs of exactly this version, its permissions, grants and parameters. */
const EvidenceRuns = z.array(Id).max(5);

/** A version that names one waits for approval, whatever the policy and whatever has become of the thread (spec AS6). */
const AssistantThreadId = Id.meta({
  description:
    'The thread in which the assistant wrote it, also one that is gone; the version then waits for approval, whatever the policy',
});

const CreatorName = z
  .string()
  .nullable()
  .meta({ description: 'The name or email of the author, or how their agent is called; null if that admin was deleted' });

export const TaskVersion = z
  .object({
    id: Id,
    version: z.int(),
    source_code: z.string(),
    permissions: z.string().meta({ description: 'A JSON array of permission strings' }),
    parameters: z.string().meta({ description: 'A JSON array of parameter declarations' }),
    ...ShownGrants.shape,
    /** The approver; null while the version may not run because it is pending, rejected or revoked. */
    approved_by: Id.nullable(),
    approval: z.enum(['pending', 'approved', 'rejected', 'revoked']),
    created_by: Id,
    created_by_name: CreatorName,
    created_via: z
      .enum(['mcp', 'assistant'])
      .nullable()
      .meta({ description: '`mcp`: an agent wrote it; `assistant`: an admin with the assistant; null: a person did' }),
    note: z.string().nullable(),
    created_at: Timestamp,
    source_sha256: z.string(),
    warnings: z.array(SourceWarning),
  })
  .meta({ id: 'TaskVersion' });
export type TaskVersion = z.infer<typeof TaskVersion>;

/** The newest request for changes on a version that is still undecided (spec AP8). */
export const ChangeRequest = z
  .object({ id: Id, admin_id: Id, admin_name: z.string().nullable(), comment: z.string(), at: Timestamp })
  .nullable()
  .meta({ description: 'The newest request for changes, while the version is pending; null: there is none' });
export type ChangeRequest = z.infer<typeof ChangeRequest>;

/** Whether a new version still needs the approval of another admin (setting `approval_policy`). */
const NewVersionApproval = z.enum(['pending', 'approved']);

/** Permissions and, after them, grants in their canonical text, such as `mail_to:customers` (declared.ts). */
export const PermissionsDiff = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });

export const tasksEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list',
    method: 'GET',
    path: '/ai-tasks',
    summary: 'List tasks, most recently updated first',
    permission: 'admin_api.ai_tasks.read',
    query: z.object({
      search: Search.optional(),
      include_deleted: z.boolean().default(false),
      limit: clamped(1, 200, 50),
      offset: clamped(0, Number.MAX_SAFE_INTEGER, 0),
    }),
    response: z
      .object({
        tasks: z.array(
          z.object({
            id: Id,
            name: z.string(),
            description: z.string(),
            last_run_id: Id.nullable(),
            last_run_at: Timestamp.nullable(),
            last_run_status: RunStatus.nullable(),
            last_run_asks: z.boolean().meta({ description: 'Whether the last run waits for the answer of a person' }),
            paused: z.boolean().meta({ description: 'Whether its current version was paused in its trial, so that it opens no runs' }),
            open_runs: z.int().meta({ description: 'Number of running runs' }),
            asking_runs: z.int().meta({ description: 'How many of the running runs wait for the answer of a person' }),
            next_run_at: Timestamp.nullable().meta({ description: 'The next time of its enabled schedules' }),
            current_version: z.int().nullable(),
            pending_version_id: Id.nullable().meta({
              description: 'The newest version that waits for approval; not one with a request for changes once there is a newer version',
            }),
            updated_at: Timestamp,
            deleted_at: Timestamp.nullable(),
          }),
        ),
        total: z.int(),
      })
      .meta({ id: 'TaskPage' }),
  },
  {
    id: 'ai_tasks.get',
    method: 'GET',
    path: '/ai-tasks/{id}',
    summary: 'Get a task with its current version and the list of its versions',
    permission: 'admin_api.ai_tasks.read',
    record: 'task',
    response: z.object({
      task: Task,
      current_version: TaskVersion.nullable(),
      trial: VersionTrial.nullable().meta({ description: 'The trial of the current version; null: there was none' }),
      versions: z.array(
        TaskVersion.pick({
          id: true,
          version: true,
          created_at: true,
          approved_by: true,
          approval: true,
          created_by: true,
          created_by_name: true,
          created_via: true,
          note: true,
        }).extend({
          changes_requested: z.boolean().meta({ description: 'Whether it is pending, and somebody requested changes' }),
        }),
      ),
    }),
  },
  {
    id: 'ai_tasks.create',
    method: 'POST',
    path: '/ai-tasks',
    summary: 'Create a task with its first version',
    decides: true,
    permission: 'admin_api.ai_tasks.write',
    body: z.object({
      name: Name,
      description: text({ max: 10_000 }),
      ...TaskSource.shape,
      note: Note.optional(),
      evidence: EvidenceRuns.optional(),
      assistant_thread_id: AssistantThreadId.optional(),
    }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({ task_id: Id, version_id: Id, approval: NewVersionApproval, warnings: z.array(SourceWarning) }),
    location: '/ai-tasks/{task_id}',
    refusals: ['unknown_permission', 'permission_not_grantable', 'permission_not_held', 'task_not_found', 'evidence_not_of_version'],
  },
  {
    id: 'ai_tasks.update',
    method: 'PATCH',
    path: '/ai-tasks/{id}',
    summary: 'Change the name, description and settings of a task',
    decides: true,
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    body: z.object({
      name: Name.optional(),
      description: text({ max: 10_000 }).optional(),
      settings: TaskSettingsChange.optional(),
    }),
    response: Task,
    refusals: ['task_deleted'],
  },
  {
    id: 'ai_tasks.delete',
    method: 'DELETE',
    path: '/ai-tasks/{id}',
    summary: 'Delete a task; its versions and runs are kept',
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    status: 204,
  },
  {
    id: 'ai_tasks.create_version',
    method: 'POST',
    path: '/ai-tasks/{id}/versions',
    summary: 'Add a version to a task; it becomes the current version when it is approved',
    decides: true,
    permission: 'admin_api.ai_tasks.write',
    record: 'task',
    body: z.object({
      ...TaskSource.shape,
      note: Note.optional(),
      evidence: EvidenceRuns.optional(),
      assistant_thread_id: AssistantThreadId.optional(),
      /** The version that the author started from; the server refuses the new one if the task has got a newer version since. */
      base_version_id: Id.optional(),
    }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({
      version_id: Id,
      permissions_diff: PermissionsDiff,
      approval: NewVersionApproval,
      warnings: z.array(SourceWarning),
    }),
    location: '/ai-tasks/{id}/versions/{version_id}',
    refusals: [
      'unknown_permission',
      'permission_not_grantable',
      'permission_not_held',
      'task_not_found',
      'task_deleted',
      'version_not_found',
      'version_outdated',
      'evidence_not_of_version',
    ],
  },
  {
    id: 'ai_tasks.get_version',
    method: 'GET',
    path: '/ai-tasks/{id}/versions/{version_id}',
    summary: 'Get a version with its source and the permissions that it adds',
    permission: 'admin_api.ai_tasks.read',
    record: 'task_version',
    response: TaskVersion.extend({
      permissions_diff: PermissionsDiff,
      permissions_used: z.array(z.string()),
      change_request: ChangeRequest,
      is_own: z.boolean().meta({ description: "Whether it counts as the caller's own, so that another admin has to approve it" }),
      evidence: z.array(Evidence),
      proposal: z
        .object({ run_id: Id.nullable() })
        .nullable()
        .meta({ description: 'Of a proposal to run once: the newest dry run whose plan can be applied; null: it is an ordinary version' }),
      plan_digest_now: z.string().nullable().meta({
        description: 'The digest of the plan of the newest dry run of this version that ended well; null: there is none',
      }),
      may_start_tasks: z.array(z.object({ id: Id, name: z.string() })).meta({ description: 'The tasks of `may_start` with their names' }),
    }),
  },
);
