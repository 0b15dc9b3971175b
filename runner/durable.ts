import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CHECKPOINT_MAX_BYTES, type Json } from '../contract/run-events.ts';
import { type CallsMade, runnerEndpoints } from '../contract/runner.ts';
import { createEpochKeys, epochSeed } from './call-key.ts';
import { ParsedJson, ParsedObject } from './parsed-json.ts';
import type { RecordedTurn } from './recording.ts';
import { type Answer, advanceClock, failure, isClaimOver, type RunContext } from './run-context.ts';
import { problemOf } from './server-client.ts';

export const CheckpointPayload = z.object({ state: ParsedObject });
/** `value` absent: ask; present: store, the first stored wins. `alone`: while its function ran nothing else of the script did. */
export const OncePayload = z.object({
  name: z.string().min(1).max(200),
  value: ParsedJson.optional(),
  alone: z.boolean().optional(),
  drawn: z.int().min(0).optional(),
});
export const SleepPayload = z.object({
  ms: z
    .number()
    .min(0)
    .max(24 * 3600 * 1000),
});

/**
 * Stores the state and begins the next epoch; or, where the server knows it for the checkpoint that the script resumed
 * from, begins the same one anew (automation.md §5, Checkpoint). `recorded`: what a replay's recording says of it.
 */
export async function storeCheckpoint(
  run: RunContext,
  { state }: z.infer<typeof CheckpointPayload>,
  recorded: RecordedTurn | undefined,
): Promise<Answer | null> {
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > CHECKPOINT_MAX_BYTES) return failure(`the checkpoint is larger than ${CHECKPOINT_MAX_BYTES} bytes`);
  run.log.flush();
  const { epoch } = run.keys;
  const seed = (of: number): string => epochSeed(run.lineageSeed, of);
  if (recorded?.again) return { value: 'null', now_ms: run.nowMs, seed: seed(epoch) };
  const delivery = await run.sender.deliver(`{"kind":"checkpoint","state":${text},"epoch":${epoch}}`);
  if (delivery.kind === 'lost') return null;
  if (delivery.kind === 'refused') {
    if (!delivery.mismatch) return failure(`the checkpoint was refused: ${delivery.problem}`);
    run.end({ kind: 'resume_mismatch', message: delivery.problem });
    return null;
  }
  const next = delivery.epoch ?? epoch + 1;
  // The calls that come are counted on: those before it may have taken answers of this epoch.
  if (next === epoch) return { value: 'null', now_ms: run.nowMs, seed: seed(epoch), again: true };
  run.keys = createEpochKeys(next);
  return { value: 'null', now_ms: advanceClock(run, run.turns ? null : delivery.timeMs), seed: seed(next) };
}

/** The server's limit for a name of the memory, less the prefix. */
const ONCE_NAME_MAX = 195;
/** The server takes no more names of calls. */
const MADE_MAX = 10_000;
const Recalled = runnerEndpoints['runner.remember'].response.pick({ stored: true, made: true, now_ms: true });

/** `once`: asks for what the lineage keeps under this name, or stores it. */
export async function remember(
  run: RunContext,
  { name, value, alone = false, drawn = 0 }: z.infer<typeof OncePayload>,
): Promise<Answer | null> {
  if (name.length > ONCE_NAME_MAX) return failure(`the name of once is longer than ${ONCE_NAME_MAX} characters`);
  const { keys } = run;
  const begun = run.onces.get(name);
  const made =
    value !== undefined && begun?.keys === keys
      ? { epoch: keys.epoch, keys: keys.since(begun.count).slice(0, MADE_MAX), alone, drawn, now_ms: Math.floor(run.nowMs) }
      : undefined;
  const memory = await exchangeMemory(run, `once/${name}`, value, made);
  if (memory === null || 'error' in memory) return memory;
  if (value === undefined) {
    const known = Recalled.parse(JSON.parse(memory.text));
    if (!known.stored) run.onces.set(name, { keys, count: keys.count() });
    else if (!run.onces.has(name)) {
      // It was kept before this attempt, whose own calls come behind those that were made for it.
      run.onces.set(name, { keys, count: keys.count() });
      keys.skip(known.made ?? []);
      if (known.now_ms !== undefined) return { value: memory.text, now_ms: advanceClock(run, known.now_ms) };
    }
  }
  // The clock stands but where the function has moved it: asking again in a later attempt would move it to another time.
  return { value: memory.text };
}

const STORED_SLEEP_MS = 1000;
const StoredDeadline = z.object({ value: z.number() });

/** A sleep of a second or more keeps its deadline, so that a second attempt does not sleep again. */
export async function sleep(run: RunContext, { ms }: z.infer<typeof SleepPayload>): Promise<Answer | null> {
  if (run.turns) return { value: 'null', now_ms: advanceClock(run, run.nowMs + ms) };
  if (ms < STORED_SLEEP_MS) {
    const untilMs = run.nowMs + ms;
    await delay(ms);
    return { value: 'null', now_ms: advanceClock(run, untilMs) };
  }
  const name = `sleep/${run.keys.epoch}/${run.keys.occurrence('sleep')}`;
  const memory = await exchangeMemory(run, name, Math.ceil(Date.now() + ms));
  if (memory === null || 'error' in memory) return memory;
  const deadlineMs = StoredDeadline.parse(JSON.parse(memory.text)).value;
  // In steps: a run that ended meanwhile must not keep a timer for hours.
  for (let leftMs = deadlineMs - Date.now(); run.alive() && leftMs > 0; leftMs = deadlineMs - Date.now())
    await delay(Math.min(500, leftMs));
  return { value: 'null', now_ms: advanceClock(run, deadlineMs) };
}

/** Whether a sleep reaches the server, and so counts as a host call. */
export function isStoredSleep(ms: number): boolean {
  return ms >= STORED_SLEEP_MS;
}

type Memory = { text: string };

async function exchangeMemory(
  run: RunContext,
  name: string,
  value: Json | undefined,
  made?: CallsMade,
): Promise<Memory | { error: NonNullable<Answer['error']> } | null> {
  const body = JSON.stringify({ name, value, made });
  const reply = await run.reports.untilAnswered({ to: run.reports.place(runnerEndpoints['runner.remember']), body }, run.alive);
  if (reply === null) return null;
  if (reply.status === 200) {
    return { text: reply.text };
  }
  const problem = problemOf(reply);
  if (isClaimOver(run, reply, problem)) return null;
  return { error: { name: 'Error', message: `the server refused to keep "${name}": ${problem?.detail ?? reply.status}` } };
}
