import { z } from 'zod';
import { EndReason, Json, JsonObject } from '../contract/run-events.ts';

/**
 * The pipe between the runner (which holds the token) and a worker (which holds the script): wall 1.
 * Frames are a 4-byte big-endian length and that many bytes of JSON. Both sides parse what they read;
 * the runner treats a worker as hostile.
 */

/** Operations of the one host function (automation.md §1). */
export const Operation = z.enum(['admin_api', 'event', 'checkpoint', 'once', 'sleep', 'file_read', 'file_write', 'prompt']);
export type Operation = z.infer<typeof Operation>;

/** Payload of each operation, as JSON text inside `call.payload`. */
export const AdminApiPayload = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Relative to /admin/api, with its query. */
  path: z.string().max(8192),
  body: Json.optional(),
});
export const EventPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('log'), line: z.string() }),
  z.object({ kind: z.literal('progress'), current: z.int(), total: z.int(), label: z.string() }),
  z.object({ kind: z.literal('result'), status: z.string(), item: z.string(), details: JsonObject }),
]);
export const CheckpointPayload = z.object({ state: JsonObject });
/** `value` absent: ask; present: store, the first stored wins. `alone`: while its function ran nothing else of the script did. */
export const OncePayload = z.object({
  name: z.string().min(1).max(200),
  value: Json.optional(),
  alone: z.boolean().optional(),
  drawn: z.int().min(0).optional(),
});
export const SleepPayload = z.object({
  ms: z
    .number()
    .min(0)
    .max(24 * 3600 * 1000),
});

/** A part of a `file` parameter, from there on as much as one answer takes. */
export const FileReadPayload = z.object({ name: z.string().min(1).max(64), offset: z.int().min(0) });

/** Content types that a header takes as they are. */
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]*)?$/;
/** A part of an artifact: the first opens it, the one that makes it whole keeps it. `data` is base64. */
export const FileWritePayload = z.object({
  /** The script's own number of this artifact, the same when it is sent again. */
  write: z.int().min(1),
  name: z.string().min(1).max(1000),
  content_type: z.string().max(255).regex(CONTENT_TYPE),
  size: z.int().min(0),
  offset: z.int().min(0),
  data: z.base64().max(1_500_000),
});

/** What the question must be is the server's to say. */
export const PromptPayload = z.object({ label: z.string(), fields: z.array(Json).max(1000) });

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

/** Worker to runner. `call` with id 0 wants no answer (events). */
export const FromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('call'), id: z.int().min(0), operation: Operation, payload: z.string() }),
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
