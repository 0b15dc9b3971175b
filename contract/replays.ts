import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Recording } from './recordings.ts';
import { Json, RunStatus } from './run-events.ts';
import { SOURCE_BODY_LIMIT, TaskSource } from './tasks.ts';
import { Id } from './values.ts';

/** Largest number of differences of one kind that a report shows; the counts include all of them. */
export const SHOWN_MAX = 100;
/** Largest number of characters of a body or a line that a report shows. */
export const SHOWN_MAX_CHARS = 4096;

const CallShown = z.object({
  epoch: z.int(),
  method: z.string(),
  path: z.string(),
  /** Only for a write: the body as JSON text, cut at 4,096 characters. */
  body: z.string().nullable(),
});

const CallDiff = z.object({
  same: z.int(),
  changed: z.int(),
  added: z.int(),
  missing: z.int(),
  /** The first 100 differences of each kind. */
  changes: z.array(CallShown.extend({ recorded_body: z.string().nullable() })),
  additions: z.array(CallShown),
  omissions: z.array(CallShown),
});

const Text = z.string().nullable();

export const Replay = z
  .object({
    run_id: Id,
    version_id: Id,
    replay_of_run_id: Id,
    recorded_version_id: Id,
    /** True if the replay made exactly the calls, results and log lines of the recording. */
    identical: z.boolean(),
    /**
     * Where the replay ended. `completed`: at the script's own end. `parted`: at calls that the recording has no answer to; these are in
     * `additions`. `recording_ended`: where the recorded run itself was cut off. `interrupted`: before any of these.
     */
    ended: z.enum(['completed', 'parted', 'recording_ended', 'interrupted']),
    calls: CallDiff,
    /** The calls that changed the shop. */
    effects: CallDiff,
    results: z.object({ same: z.int(), added: z.int(), missing: z.int(), additions: z.array(z.string()), omissions: z.array(z.string()) }),
    log: z.object({
      identical: z.boolean(),
      /** The first line that differs; null: that log has no line there. */
      first_difference: z.object({ line: z.int(), recorded: Text, replayed: Text }).nullable(),
    }),
    recorded: z.object({ status: RunStatus, error_message: Text, result: Json }),
    replayed: z.object({ status: RunStatus, error_message: Text, result: Json }),
  })
  .meta({ id: 'Replay' });
export type Replay = z.infer<typeof Replay>;
export type CallDiff = z.infer<typeof CallDiff>;

export const RecordedAnswers = z.object({
  answers: z.array(z.object({ position: z.int(), call: z.string(), now_ms: z.int().nullable(), again: z.boolean() })),
});

export const replaysEndpoints = endpointsOf(
  {
    id: 'replays.start',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/replay',
    summary:
      'Replay a recorded run: its calls get the recorded answers and nothing in the shop changes; the version may be pending, or a draft',
    permission: 'admin_api.ai_tasks.write',
    record: 'run',
    body: z
      .object({
        version_id: Id.optional(),
        draft: TaskSource.optional().meta({ description: 'What to execute instead of a version; the caller must hold its permissions' }),
      })
      .refine(({ version_id, draft }) => version_id === undefined || draft === undefined, {
        path: ['draft'],
        message: 'cannot be given together with version_id',
        params: { code: 'invalid_value' },
      }),
    bodyLimitBytes: SOURCE_BODY_LIMIT,
    status: 201,
    response: z.object({ run_id: Id, version_id: Id }),
    location: '/ai-tasks/{id}/runs/{run_id}',
    refusals: [
      'task_deleted',
      'not_recorded',
      'journal_expired',
      'run_not_ended',
      'permission_not_held',
      'version_not_found',
      'version_not_approved',
      'unknown_permission',
      'permission_not_grantable',
      'task_not_found',
    ],
  },
  {
    id: 'replays.get',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/replay',
    summary: 'Compare a replay with the run that it replays',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: Replay,
    refusals: ['not_a_replay', 'journal_expired', 'run_not_ended', 'permission_not_held'],
  },
  {
    id: 'replays.get_recording',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/recording',
    summary: 'Get what a recorded run was given and has said, to replay it elsewhere (at most 8 MiB); `backroom task test --replay` does',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: Recording,
    refusals: ['not_recorded', 'journal_expired', 'run_not_ended', 'not_applicable', 'permission_not_held'],
  },
  /**
   * The runner gives a replay its answers in the order, and at the times, of the recording. A run that is resumed gets its answers in the
   * order in which earlier attempts got them in the present epoch; `call` is then a shorter name.
   */
  {
    id: 'runner.list_answers',
    method: 'GET',
    path: '/runner/runs/{run_id}/answers',
    summary: 'List the order in which the script of the recorded run, or of earlier attempts, got its answers',
    permission: 'admin_api.runner.write',
    ownRun: true,
    query: z.object({ after: z.int().min(0).default(0) }),
    response: RecordedAnswers,
  },
);
