import { z } from 'zod';
import { RETRY_MAX_MS } from './script-library.ts';
import { text } from './values.ts';
import { WAITS_MAX } from './wait-rules.ts';

/** Any JSON value, returned unchanged. z.json() and z.record() would drop a member that is called `__proto__`. */
export const Json = z
  .custom<z.core.util.JSONType>()
  .check(({ value, issues }) => {
    if (value === undefined) issues.push({ code: 'invalid_type', expected: 'unknown', input: value });
    else if (!isJson(value)) issues.push({ ...NOT_JSON, input: value });
  })
  // The document does not spell the schema out: it would refer to itself, which many client generators cannot express.
  .register(z.globalRegistry, { id: 'Json', description: 'Any JSON', override: {} });
export type Json = z.infer<typeof Json>;
export const JsonObject = z
  .custom<{ [name: string]: Json }>()
  .check(({ value, issues }) => {
    if (!isPlainObject(value)) issues.push({ code: 'invalid_type', expected: 'record', input: value });
    else if (!isJson(value)) issues.push({ ...NOT_JSON, input: value });
  })
  .register(z.globalRegistry, { override: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Json' } } });
export type JsonObject = z.infer<typeof JsonObject>;

const NOT_JSON = {
  code: 'custom',
  message: 'must be JSON; a number must be finite (at most 1.8e308)',
  params: { code: 'invalid_value' },
} as const;

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return (Array.isArray(value) || isPlainObject(value)) && Object.values(value).every(isJson);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

export const RunStatus = z.string().meta({
  description:
    'running, interrupted, resumed, success, failed, cancelled, timed_out, or the status that an external client finalized the run with',
});

export const EndReason = z.enum([
  'completed',
  'script_error',
  'heap',
  'cpu',
  'wall',
  'budget',
  'lost_runner',
  'lost_worker',
  'drained',
  'cancelled',
  'revoked',
  'prompt_timeout',
  'resume_mismatch',
  'expired',
  'replay_parted',
  'sandbox',
]);
export type EndReason = z.infer<typeof EndReason>;

/** Largest checkpoint as JSON, in bytes (spec LI1). */
export const CHECKPOINT_MAX_BYTES = 1024 * 1024;
/** Largest size of all that `once` keeps for a run and the runs that resume it, in bytes. */
export const MEMORY_MAX_BYTES = 64 * 1024 * 1024;
/** Largest log of one run, in bytes and in lines (spec LI1). */
export const LOG_MAX_BYTES = 10 * 1024 * 1024;
export const LOG_MAX_LINES = 100_000;
/** The maximum of a task's `limits.log_bytes`; the limit of lines grows in proportion. */
export const LOG_RAISED_MAX_BYTES = 32 * 1024 * 1024;
export function logLinesMax(logBytes: number): number {
  return Math.max(LOG_MAX_LINES, Math.floor((LOG_MAX_LINES * logBytes) / LOG_MAX_BYTES));
}

/** What a run has used so far. It is not reset when a lost run is recovered or when a run waits for a person (spec LI1). */
export const Used = z.object({ cpu_ms: z.int().min(0), wall_ms: z.int().min(0), host_calls: z.int().min(0) });
export type Used = z.infer<typeof Used>;

/** The runner cuts longer log lines at this length, in bytes (spec LI1). */
export const LOG_LINE_MAX_BYTES = 16 * 1024;
/** Largest result of a run as JSON, in bytes (spec RU14). */
export const RESULT_MAX_BYTES = 64 * 1024;

/** Longest description of a run, in characters; largest details, in bytes (spec RU24). */
export const DESCRIPTION_MAX = 200;
export const DETAILS_MAX_BYTES = 64 * 1024;

const LogEvent = z.object({ kind: z.literal('log'), line: z.string() });
const ProgressEvent = z.object({ kind: z.literal('progress'), current: z.int(), total: z.int(), label: z.string() });
const ResultEvent = z.object({ kind: z.literal('result'), status: z.string(), item: z.string(), details: JsonObject });

/** One line; an empty one takes the description away. */
const DescribeEvent = z.object({
  kind: z.literal('describe'),
  description: text({ max: DESCRIPTION_MAX }).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
    message: 'must be one line, without control characters',
    params: { code: 'invalid_value' },
  }),
});

/** Markdown; an empty one takes the details away. It is stored with the run and is no line of the log. */
const DetailsEvent = z.object({
  kind: z.literal('details'),
  markdown: text({ max: DETAILS_MAX_BYTES }).refine((value) => new TextEncoder().encode(value).length <= DETAILS_MAX_BYTES, {
    message: `must have at most ${DETAILS_MAX_BYTES} bytes`,
    params: { code: 'too_long', max: DETAILS_MAX_BYTES },
  }),
});

/** What a call of `http.request` asked of another system. */
export const CalledRequest = z
  .object({
    method: z.string().max(10),
    url: z.string().max(500).meta({ description: 'Host and path, with the names of secrets in place of their values' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'Of the answer of the other system; in a dry run that of the sample; null: there was none' }),
  })
  .meta({ id: 'CalledRequest' });
export type CalledRequest = z.infer<typeof CalledRequest>;

const AdminApiEvent = z.object({
  kind: z.literal('admin_api'),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  request: CalledRequest.exactOptional().meta({ description: 'Present if the call sends a request to another system' }),
});

/** The events that the log holds: each line is exactly one of them as JSON (spec EV3, EV4). */
export const LoggedEvent = z.discriminatedUnion('kind', [LogEvent, ProgressEvent, ResultEvent, AdminApiEvent, DescribeEvent]);
export type LoggedEvent = z.infer<typeof LoggedEvent>;

/**
 * When a call was sent, by the clock that `clock_ms` of the same PATCH shows; how long it took, and the epoch that it belongs to. The log
 * shows none of it.
 */
const CallTime = z.object({ began_ms: z.int().min(0), duration_ms: z.int().min(0), epoch: z.int().min(0) });

/**
 * `<epoch>/<fingerprint>/<occurrence>` of a result event; a second attempt sends the same key, so the result is kept once (spec JO8).
 */
const ResultKey = z.string().regex(/^\d{1,9}\/[0-9a-f]{64}\/\d{1,9}$/);

/** `epoch`: the epoch that a runner's checkpoint ends; a repeated checkpoint of the same epoch changes nothing (spec JO6). */
const CheckpointEvent = z.object({ kind: z.literal('checkpoint'), state: JsonObject, epoch: z.int().min(0).optional() });

/**
 * Sent by runners only: the script of a recorded run got the answer to this call, and its clock showed this time. A replay gives the
 * answers in the same order and at the same times.
 */
const AnsweredEvent = z.object({
  kind: z.literal('answered'),
  call: z.string().regex(/^\d{1,9}\/[a-z_]{1,32}\/[0-9a-f]{32}\/\d{1,9}$/),
  now_ms: z.int().optional(),
  /** For a checkpoint: true if it is the one that the script resumed from, which ended no epoch. */
  again: z.boolean().optional(),
});

const TERMINAL = /^[a-z][a-z_]{0,31}$/;
const FinalizeEvent = z.object({
  kind: z.literal('finalize'),
  status: z.string().refine((status) => TERMINAL.test(status) && status !== 'running' && status !== 'resumed', {
    message: 'must be a terminal status: at most 32 lower-case letters and _, neither running nor resumed',
    params: { code: 'invalid_value' },
  }),
  error_message: z.string().nullable().optional(),
  /** Sent by runners only: why the run ended, and what the script returned. */
  end_reason: EndReason.optional(),
  result: Json.optional(),
  /** The script threw `RetryAfter`: it asks for another attempt after this time. */
  retry_after_ms: z.int().min(0).max(RETRY_MAX_MS).optional(),
});

const TextHash = z.string().regex(/^[\w-]{8}$/);
/**
 * What a script has said since its last checkpoint before the run waits without a worker. `texts`: its lines and those about its calls, of each
 * a hash of eight characters. `shown`: hashes of what the run showed last.
 */
export const Said = z.object({
  texts: z.string().regex(/^(?:[\w-]{8})*$/),
  shown: z.object({ progress: TextHash.optional(), description: TextHash.optional(), details: TextHash.optional() }),
});
export type Said = z.infer<typeof Said>;
/** `waits`: for which the run gave its worker back. */
export const SaidBefore = Said.extend({ waits: z.array(z.int()) });
export type SaidBefore = z.infer<typeof SaidBefore>;
/** As it is stored with a claim. `whole`: what the claim itself logged is in it, too, because it gave its worker back. */
export const StoredSaid = SaidBefore.extend({ whole: z.boolean().optional() });
export type StoredSaid = z.infer<typeof StoredSaid>;

const HASH_LENGTH = 8;
/** The hashes of `texts`. */
export function hashesIn(texts: string): string[] {
  return Array.from({ length: texts.length / HASH_LENGTH }, (_, n) => texts.slice(n * HASH_LENGTH, (n + 1) * HASH_LENGTH));
}

/** Sent by runners only: the runner gives the run back until one of these questions or waits is over (spec SF10). */
const WaitEvent = z.object({
  kind: z.literal('wait'),
  prompt_ids: z.array(z.int().min(1)).min(1).max(WAITS_MAX),
  /** Missing from runners of earlier releases. */
  said: Said.optional(),
});

export const RunEvent = z
  .discriminatedUnion('kind', [
    LogEvent.meta({ id: 'RunLogEvent' }),
    ProgressEvent.meta({ id: 'RunProgressEvent' }),
    ResultEvent.extend({ key: ResultKey.optional() }).meta({ id: 'RunResultEvent' }),
    AdminApiEvent.extend(CallTime.partial().shape).meta({ id: 'RunAdminApiEvent' }),
    AnsweredEvent.meta({ id: 'RunAnsweredEvent' }),
    DescribeEvent.meta({ id: 'RunDescribeEvent' }),
    DetailsEvent.meta({ id: 'RunDetailsEvent' }),
    CheckpointEvent.meta({ id: 'RunCheckpointEvent' }),
    FinalizeEvent.meta({ id: 'RunFinalizeEvent' }),
    WaitEvent.meta({ id: 'RunWaitEvent' }),
  ])
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof RunEvent>;

export const REPORT_MAX_BYTES = 4 * 1024 * 1024;
/** A report about a run: its next events, at most `REPORT_MAX_BYTES` in all. */
export const RunReport = z.object({
  events: z.array(RunEvent).max(1000),
  /** Sent by runners only: what the run has used so far. */
  used: Used.optional(),
  /** What a clock of the sender, which never goes back, shows as it sends; it gives `began_ms` of the events a meaning. */
  clock_ms: z.int().min(0).optional(),
});
