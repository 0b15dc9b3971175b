import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject, LOG_MAX_BYTES, LOG_RAISED_MAX_BYTES, REPORT_MAX_BYTES, RunReport, SaidBefore, Used } from './run-events.ts';
import { Id, Timestamp } from './values.ts';

/** Only tokens of runs begin with this prefix, so that the server knows from the token itself where to look it up. */
export const RUN_TOKEN_PREFIX = 'run_';

/** Limits of a run (spec LI1). A task may change them, up to the shop's maximum. */
export const Limits = z.object({
  heap_mib: z.int().min(16).max(512),
  cpu_seconds: z.int().min(1).max(3600),
  wall_seconds: z.int().min(1).max(86_400),
  host_calls: z.int().min(1).max(1_000_000),
  /** null: no limit. */
  writes: z.int().min(0).nullable(),
  log_bytes: z.int().min(1024).max(LOG_RAISED_MAX_BYTES),
  llm_tokens: z.int().min(0).max(10_000_000),
  dry_run_writes: z.int().min(0).max(10_000),
});
export type Limits = z.infer<typeof Limits>;
/** The largest limits that a shop permits its tasks; a limit that is missing here has only its own maximum. */
export const LimitsMax = Limits.partial();
export type LimitsMax = z.infer<typeof LimitsMax>;

export const defaultLimits: Limits = {
  heap_mib: 128,
  cpu_seconds: 30,
  wall_seconds: 900,
  host_calls: 10_000,
  writes: null,
  log_bytes: LOG_MAX_BYTES,
  llm_tokens: 100_000,
  dry_run_writes: 200,
};

/**
 * What scripts are told of the shop's settings. It is stored when a run is opened, so that a run that resumes it, and a replay, see the same.
 */
export const ShopFacts = z.object({ timezone: z.string(), currency: z.string(), currency_exponent: z.int(), locale: z.string() });
export type ShopFacts = z.infer<typeof ShopFacts>;

/** A run that a runner has claimed, with everything that it needs and two tokens that are valid for this claim only. */
export const Claim = z.object({
  /**
   * `record`: the runner reports the order in which the script gets its answers. `replay`: the runner gives the answers in the order that
   * the server lists, and waits for nothing. `resumes`: there were earlier attempts, and the script is to get its answers in the order in
   * which it got them then. `traceparent`: the span of the request that opened the run, if the server traces its requests.
   */
  run: z.object({
    id: Id,
    task_id: Id,
    dry_run: z.boolean(),
    attempt: z.int(),
    record: z.boolean(),
    replay: z.boolean(),
    resumes: z.boolean().optional(),
    traceparent: z.string().optional(),
  }),
  lineage_id: z.string(),
  /** The lineage's secret, in hex; the runner derives the random numbers of each epoch from it. */
  seed: z.string(),
  /** The time at which the script's clock starts: the start of the epoch. */
  now: Timestamp,
  /** When the lineage's first run began; missing: the lineage is older than this field, and its scripts see 1970. */
  began: Timestamp.optional(),
  shop: ShopFacts,
  version: z.object({
    id: Id,
    /** null: a draft. */
    version: z.int().nullable(),
    source_code: z.string(),
    /** What `compileTaskSource` made of the source; null: it has faults, which the worker finds. */
    code: z.string().nullable(),
    permissions: z.array(z.string()),
    /** The parameters as the version declares them. */
    parameters: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        label: z.string().optional(),
        required: z.boolean().optional(),
        default: Json.optional(),
        options: z.array(Json).optional(),
      }),
    ),
  }),
  parameters: JsonObject,
  checkpoint: JsonObject.nullable(),
  epoch: z.int(),
  /** Number of writes that this lineage has made; they count against `limits.writes`. */
  writes_made: z.int(),
  /** What the run has used in earlier attempts, and before it waited for a person. */
  used: Used,
  /** Size of the run's log so far, from earlier attempts or from lines that the server wrote. */
  log_made: z.object({ bytes: z.int(), lines: z.int() }),
  /** The run goes on after a wait: what its script says again, and is in the log already. */
  said: SaidBefore.optional(),
  limits: Limits,
  /** The shop's maximum for each limit; a limit that is missing here has only its own maximum. */
  limits_max: LimitsMax,
  /** The call token: it goes with the script's calls and opens only endpoints of the shop. */
  token: z.string(),
  /** The report token, for what the runner reports of this run. Endpoints for reports accept no other token, and it opens no others. */
  report_token: z.string(),
  lease_seconds: z.int(),
});
export type Claim = z.infer<typeof Claim>;

export const RunnerInfo = z.object({
  name: z.string().min(1).max(100),
  version: z.string().max(50),
  isolation: z.array(z.string().max(50)).max(20),
  /** All slots of the runner, busy or free; `slots` of the request is the number of free ones. */
  total_slots: z.int().min(1).max(64).optional(),
});

export type RunnerInfo = z.infer<typeof RunnerInfo>;

/** A runner asks for its next run with the report of an end. A report token opens no claims, so the runner's own token goes along. */
export const NextRun = z.object({ token: z.string().max(512), runner: RunnerInfo });
export type NextRun = z.infer<typeof NextRun>;

/**
 * The calls that a script made while the function of a `once` ran, as journal keys of one epoch. A script that is given the kept value does
 * not run the function, so it never makes these calls again. `alone`: no other part of the script can have made them.
 */
export const CallsMade = z.object({
  epoch: z.int().min(0),
  keys: z.array(z.string().regex(/^[0-9a-f]{64}\/\d{1,9}$/)).max(10_000),
  alone: z.boolean(),
  /** `now_ms`: where the script's clock stood when the value was kept. `drawn`: how many random bytes the function had drawn. */
  now_ms: z.int().optional(),
  drawn: z.int().min(0).optional(),
});
export type CallsMade = z.infer<typeof CallsMade>;

export const runnerEndpoints = endpointsOf(
  {
    id: 'runner.claim',
    method: 'POST',
    path: '/runner/claims',
    summary: 'Claim open runs for a lease, waiting up to `wait_ms` if there is no work',
    permission: 'admin_api.runner.write',
    body: z.object({
      runner: RunnerInfo,
      slots: z.int().min(1).max(64),
      wait_ms: z.int().min(0).max(30_000),
    }),
    response: z.object({ claims: z.array(Claim) }),
    /** The verb claims runs in short transactions of its own between waits, not in the transaction of a write. */
    writes: false,
    audited: false,
  },
  {
    id: 'runner.end',
    method: 'POST',
    path: '/runner/runs/{run_id}/end',
    summary: 'Append the last events of a run, as a PATCH does, and claim the next open run',
    permission: 'admin_api.runner.write',
    ownRun: true,
    body: RunReport.extend({ next: NextRun }),
    bodyLimitBytes: REPORT_MAX_BYTES,
    /** At most one claim. A repeat with the same Idempotency-Key ends nothing again and may claim another run. */
    response: z.object({ claims: z.array(Claim) }),
    audited: false,
    refusals: ['run_not_running', 'run_fenced', 'events_after_finalize', 'unknown_kind', 'log_too_large', 'checkpoint_too_large'],
  },
  {
    id: 'runner.status',
    method: 'GET',
    path: '/runner/status',
    summary: 'List the known runners and their load, and the length of the queue',
    permission: 'admin_api.runner.read',
    response: z.object({
      runners: z.array(
        z.object({
          name: z.string(),
          version: z.string(),
          isolation: z.array(z.string()),
          slots: z.int(),
          running: z.int(),
          last_seen_at: Timestamp,
        }),
      ),
      queue_depth: z.int(),
      oldest_queued_seconds: z.int().nullable(),
    }),
  },
  /** For `once(name, fn)` and long `sleep` calls, whose values are kept for the lineage (spec JO10, JO11). */
  {
    id: 'runner.remember',
    method: 'POST',
    path: '/runner/runs/{run_id}/memory',
    summary: 'Read or store a value of the lineage; the first value stored wins',
    permission: 'admin_api.runner.write',
    ownRun: true,
    body: z.object({
      name: z.string().min(1).max(200),
      /** Omitted: the request only reads. */
      value: Json.optional(),
      made: CallsMade.optional(),
    }),
    bodyLimitBytes: 4 * 1024 * 1024,
    /**
     * `made` and `drawn` are given only if they belong to the current epoch and were made alone: the next equal call is numbered, and the
     * next random bytes are drawn, after them.
     */
    response: z.object({
      stored: z.boolean(),
      value: Json,
      made: z.array(z.string()).optional(),
      now_ms: z.int().optional(),
      drawn: z.int().optional(),
      /** The value was made in this epoch while other parts of the script ran: the function runs again and its calls get their stored answers. */
      again: z.boolean().optional(),
    }),
    refusals: ['memory_full'],
    audited: false,
  },
);
