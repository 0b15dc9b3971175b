import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject, LOG_MAX_BYTES, LOG_RAISED_MAX_BYTES, Used } from './run-events.ts';
import { Id, Timestamp } from './values.ts';

/** Tokens of runs begin with this, so that one look-up finds whose a token is: no other token may. */
export const RUN_TOKEN_PREFIX = 'run_';

/** Limits of a run (automation.md §8); a task may change them within the shop's maximum. */
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
/** What a shop gives a task at most; a limit that is not there, as much as there may be. */
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

/** One run handed to a runner, with all that it needs and two tokens that are good for this claim alone. */
export const Claim = z.object({
  /** `record`: the order of the answers is reported. `replay`: the answers come in the order that the server tells, and nothing is waited for. */
  run: z.object({ id: Id, task_id: Id, dry_run: z.boolean(), attempt: z.int(), record: z.boolean(), replay: z.boolean() }),
  lineage_id: z.string(),
  /** Secret of the lineage, hex; the runner derives each epoch's random numbers from it. */
  seed: z.string(),
  /** Where the script's clock starts: the start of the epoch. */
  now: Timestamp,
  version: z.object({
    id: Id,
    version: z.int(),
    source_code: z.string(),
    permissions: z.array(z.string()),
    /** As the version declares them. */
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
  /** Writes that this lineage has made, against `limits.writes`. */
  writes_made: z.int(),
  /** What the run has used in its earlier attempts, and before it waited for a person. */
  used: Used,
  /** What the run's log holds already, of an earlier attempt or of the server's own lines. */
  log_made: z.object({ bytes: z.int(), lines: z.int() }),
  limits: Limits,
  /** What a task of this shop may raise them to; a limit that is not there, to its own maximum. */
  limits_max: LimitsMax,
  /** Goes with what the script asks; opens endpoints of the shop alone. */
  token: z.string(),
  /** The runner's own, for what it reports of this run: nothing else takes it, and these take no other. */
  report_token: z.string(),
  lease_seconds: z.int(),
});
export type Claim = z.infer<typeof Claim>;

export const RunnerInfo = z.object({
  name: z.string().min(1).max(100),
  version: z.string().max(50),
  isolation: z.array(z.string().max(50)).max(20),
  /** All slots of the runner, free or not; `slots` beside it asks for the free ones. */
  total_slots: z.int().min(1).max(64).optional(),
});

export type RunnerInfo = z.infer<typeof RunnerInfo>;

/**
 * What a script called while the function of a `once` ran, by the keys of one epoch. Who is told what `once` keeps does not
 * run the function, and so never asks for these again. `alone`: nothing else of the script can have made them.
 */
export const CallsMade = z.object({
  epoch: z.int().min(0),
  keys: z.array(z.string().regex(/^[0-9a-f]{64}\/\d{1,9}$/)).max(10_000),
  alone: z.boolean(),
  /** Where the script's clock stood when the value was kept, and the random bytes that the function drew. */
  now_ms: z.int().optional(),
  drawn: z.int().min(0).optional(),
});
export type CallsMade = z.infer<typeof CallsMade>;

export const runnerEndpoints = endpointsOf(
  {
    id: 'runner.claim',
    method: 'POST',
    path: '/runner/claims',
    summary: 'Claim open runs by lease, waiting for work up to wait_ms',
    permission: 'admin_api.runner.write',
    body: z.object({
      runner: RunnerInfo,
      slots: z.int().min(1).max(64),
      wait_ms: z.int().min(0).max(30_000),
    }),
    status: 200,
    response: z.object({ claims: z.array(Claim) }),
    /** Claims in its own short transactions between waits. */
    writes: false,
    audited: false,
    added: true,
  },
  {
    id: 'runner.status',
    method: 'GET',
    path: '/runner/status',
    summary: 'Runners seen, their load, and the queue',
    permission: 'admin_api.runner.read',
    status: 200,
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
    added: true,
  },
  /** What `once(name, fn)` and a long `sleep` keep for the lineage (automation.md §5). */
  {
    id: 'runner.remember',
    method: 'POST',
    path: '/runner/runs/{run_id}/memory',
    summary: 'Read or store a value of the lineage; the first value stored wins',
    permission: 'admin_api.runner.write',
    ownRun: true,
    body: z.object({
      name: z.string().min(1).max(200),
      /** Absent: only read. */
      value: Json.optional(),
      made: CallsMade.optional(),
    }),
    bodyLimitBytes: 4 * 1024 * 1024,
    status: 200,
    /** `made` and `drawn`: of the current epoch, and alone; the next call that is the same, and the next draw, come behind them. */
    response: z.object({
      stored: z.boolean(),
      value: Json,
      made: z.array(z.string()).optional(),
      now_ms: z.int().optional(),
      drawn: z.int().optional(),
    }),
    refusals: ['memory_full'],
    audited: false,
    added: true,
  },
);
