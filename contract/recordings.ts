import { z } from 'zod';
import { JsonObject, StoredSaid } from './run-events.ts';
import { Id, Timestamp } from './values.ts';

/** Rises when a program of before could not read a recording any more. */
export const RECORDING_FORMAT = 1;
/** Largest size of a recording that is given, in bytes of its texts. */
export const RECORDING_MAX_BYTES = 8 * 1024 * 1024;

const Text = z.string().nullable();
/** Attempts of a lineage are numbered from 1 in their order, so that the recording names no id of the shop's. */
const Attempt = z.int();

/**
 * All that a recorded run was given and has said, for a replay in another place (`backroom task test --replay`): the answers that its
 * journal holds, seed, times, checkpoints and values of `once`. Texts are as the journal has them.
 */
export const Recording = z
  .object({
    format: z.literal(RECORDING_FORMAT),
    run_id: Id,
    task: z.object({ name: z.string(), source_sha256: z.string() }),
    run: z.object({
      status: z.string(),
      end_reason: Text,
      error_message: Text,
      /** JSON text. */
      result: Text,
      parameters: JsonObject,
      started_at: Timestamp,
      finished_at: Timestamp.nullable(),
      first_epoch: z.int(),
      log_lines: z.int(),
    }),
    beginning: z.object({ seed: z.string(), shop: Text, began_at: Timestamp.nullable() }),
    epochs: z.array(
      z.object({
        epoch: z.int(),
        started_at: Timestamp,
        checkpoint: Text,
        ended_by: Attempt.nullable(),
        ended_log_lines: z.int().nullable(),
      }),
    ),
    /** Those of the run itself, each with the order and the times of the answers that its script got. */
    attempts: z.array(
      z.object({
        attempt: Attempt,
        log_from: z.int(),
        /** What those before it, which waited without a worker, had logged of what it said again. */
        said: StoredSaid.pick({ texts: true, whole: true }).optional(),
        answers: z.array(z.object({ call: z.string(), now_ms: z.int().nullable(), again: z.boolean() })),
      }),
    ),
    calls: z.array(
      z.object({
        ...{ epoch: z.int(), key: z.string(), attempt: Attempt, asked_by: Attempt },
        ...{ is_write: z.boolean(), passing: z.int(), method: z.string(), path: z.string(), body: Text },
        ...{ status: z.int(), etag: Text, location: Text, answer: Text, at: Timestamp },
      }),
    ),
    memory: z.array(z.object({ name: z.string(), value: z.string(), made: Text, attempt: Attempt, epoch: z.int().nullable() })),
    /** Questions to people, waits and awaited runs that have ended, with what they gave. */
    prompts: z.array(
      z.object({
        ...{ key: z.string(), label: z.string(), fields: z.string(), answers: Text, awaits: Text, awaits_run_id: z.int().nullable() },
        ...{ due_ms: z.int().nullable(), created_at: Timestamp, asked_at: Timestamp, answered_at: Timestamp.nullable() },
      }),
    ),
    /** The keys of results that earlier runs of the lineage have reported. */
    earlier_results: z.array(z.string()),
    artifacts: z.array(z.object({ id: Id, name: z.string(), content_type: z.string(), size_bytes: z.int(), sha256: z.string() })),
    /** The lines of the log that a replay is compared with. */
    log: z.array(z.object({ seq: z.int(), line: z.string(), source: z.literal('run').nullable() })),
  })
  .meta({ id: 'Recording' });
export type Recording = z.infer<typeof Recording>;
