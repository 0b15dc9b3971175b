import { z } from 'zod';
import { EndReason, JsonObject } from '../contract/run-events.ts';
import { type HostOperation, isHostOperation, RETRY_MAX_MS } from '../contract/script-library.ts';

/**
 * The messages on the pipe between the runner, which holds the tokens, and a worker, which holds the script.
 * A frame is a 4-byte big-endian length and that many bytes of JSON. The runner treats a worker as hostile and checks each
 * message that it reads.
 */

/** Runner to worker. */
export const ToWorker = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    source: z.string(),
    /** What was compiled of the source, which is then empty; null: the worker compiles it. */
    code: z.string().nullable(),
    task_id: z.int(),
    /** `Backroom-Time` of the epoch's start, in ms since 1970: the first time that the script's clock shows. */
    now_ms: z.number(),
    /** When the first run of the lineage began, in ms since 1970. */
    began_ms: z.number(),
    /** The seed of this epoch's random numbers: 64 hex digits. */
    seed: z.string(),
    /** The drawn part of the lineage's placeholders for secrets (contract/secret-rules.ts). */
    secret_mark: z.string().regex(/^\d{39}$/),
    /** JSON text. */
    parameters: z.string(),
    /** JSON text of `last_checkpoint`, or `null`. */
    checkpoint: z.string(),
    /** JSON text of the claim's `shop`. */
    shop: z.string(),
    permissions: z.array(z.string()),
    heap_mib: z.int(),
    /** The worker sends `rest` whenever the script waits for an answer, and not only once it waits for a time or an event. */
    rests: z.boolean().optional(),
  }),
  /** Between runs: makes an isolate with this heap for the next run; null: drops the one that was made. A worker never answers it. */
  z.object({ type: z.literal('prepare'), heap_mib: z.int().nullable() }),
  /**
   * The answer to a call. `value` is JSON text. `error` makes the call throw in the script; its name is PermissionError,
   * AdminApiError or Error, and `fields` are the further properties of the error.
   */
  z.object({
    type: z.literal('answer'),
    id: z.int(),
    value: z.string().optional(),
    error: z.object({ name: z.string(), message: z.string(), fields: JsonObject.optional() }).optional(),
    /** The time that the script's clock shows from this answer on. */
    now_ms: z.number().optional(),
    /** After a checkpoint: the seed of the new epoch. */
    seed: z.string().optional(),
  }),
]);
export type ToWorker = z.infer<typeof ToWorker>;

/** Worker to runner. A call of an instant operation has id 0. */
export const FromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('call'),
    id: z.int().min(0),
    operation: z.custom<HostOperation>((value) => typeof value === 'string' && isHostOperation(value)),
    /** JSON text; `runner/host-calls.ts` checks it by the operation's schema. */
    payload: z.string(),
    /** How many answers the script had got when it made the call. */
    seen: z.int().min(0).optional(),
  }),
  /** The script can continue only with a further answer. `answers`: how many it has got. */
  z.object({ type: z.literal('rest'), answers: z.int().min(0) }),
  z.object({
    type: z.literal('done'),
    /** Only these reasons can be seen by the worker; the runner finds the others. */
    end_reason: EndReason.extract(['completed', 'script_error', 'heap']),
    error_message: z.string().nullable(),
    /** JSON text of what the script returned; null when it is too large or not serialisable. */
    result: z.string().nullable(),
    /** The script threw a RetryAfter of this time. */
    retry_after_ms: z.int().min(0).max(RETRY_MAX_MS).optional(),
    /** Whether this worker may serve another run of the same version. */
    reusable: z.boolean(),
  }),
]);
export type FromWorker = z.infer<typeof FromWorker>;
