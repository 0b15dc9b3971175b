import { z } from 'zod';
import { type HostOperation, isHostOperation } from '../contract/host-calls.ts';
import { EndReason, JsonObject } from '../contract/run-events.ts';

/**
 * The pipe between the runner (which holds the token) and a worker (which holds the script): wall 1.
 * Frames are a 4-byte big-endian length and that many bytes of JSON. Both sides parse what they read;
 * the runner treats a worker as hostile.
 */

/** Runner to worker. */
export const ToWorker = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    source: z.string(),
    /** `Backroom-Time` of the epoch's start, ms since 1970: where the script's clock stands. */
    now_ms: z.number(),
    /** 64 hex digits: seed of this epoch's random numbers. */
    seed: z.string(),
    /** JSON text of parameters and of last_checkpoint (or `null`). */
    parameters: z.string(),
    checkpoint: z.string(),
    permissions: z.array(z.string()),
    heap_mib: z.int(),
    /** The worker tells whenever the script rests. */
    replay: z.boolean().optional(),
  }),
  /**
   * Answer to a call. `value` is JSON text. `error` makes the call throw in the script: name PermissionError,
   * AdminApiError or Error, and what the error carries.
   */
  z.object({
    type: z.literal('answer'),
    id: z.int(),
    value: z.string().optional(),
    error: z.object({ name: z.string(), message: z.string(), fields: JsonObject.optional() }).optional(),
    /** Where the script's clock moves to with this answer. */
    now_ms: z.number().optional(),
    /** After a checkpoint: seed of the new epoch. */
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
    /** JSON text, as the operation's schema says (host-calls.ts). */
    payload: z.string(),
  }),
  /** Of a replay: nothing but a further answer can wake the script, which has got so many. */
  z.object({ type: z.literal('rest'), answers: z.int().min(0) }),
  z.object({
    type: z.literal('done'),
    /** completed, script_error or heap; what the worker cannot know is the runner's to say. */
    end_reason: EndReason.extract(['completed', 'script_error', 'heap']),
    error_message: z.string().nullable(),
    /** JSON text of what the script returned; null where it is too large or not serialisable. */
    result: z.string().nullable(),
    /** Whether this worker may serve another run of the same version. */
    reusable: z.boolean(),
  }),
]);
export type FromWorker = z.infer<typeof FromWorker>;
