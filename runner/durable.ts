import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CHECKPOINT_MAX_BYTES, type Json } from '../contract/run-events.ts';
import { type CallsMade, runnerEndpoints } from '../contract/runner.ts';
import { KEPT_SLEEP_MS, WAIT_MAX_MS } from '../contract/wait-rules.ts';
import { createEpochKeys, epochSeed } from './call-key.ts';
import { ParsedJson, ParsedObject } from './parsed-json.ts';
import type { RecordedAnswer } from './recording.ts';
import { type Answer, failure, isClaimOver, type RunContext } from './run-context.ts';
import { problemOf } from './server-client.ts';
import { awaitTime, pause } from './waits.ts';

export const CheckpointPayload = z.object({ state: ParsedObject });
/**
 * Without `value`: asks for the stored value. With `value`: stores it, unless one is stored already. `alone`: nothing else of
 * the script ran while the function of `once` ran.
 */
export const OncePayload = z.object({
  name: z.string().min(1).max(200),
  value: ParsedJson.optional(),
  alone: z.boolean().optional(),
  drawn: z.int().min(0).optional(),
});
export const SleepPayload = z.object({ ms: z.number().min(0).max(WAIT_MAX_MS) });

/**
 * Stores the state and begins the next epoch. Where the server finds that this is the checkpoint that the script resumed from,
 * the epoch stays the same (spec JO6). `recorded`: the recording's entry for this call, in a replay.
 */
export async function storeCheckpoint(
  run: RunContext,
  { state }: z.infer<typeof CheckpointPayload>,
  recorded: RecordedAnswer | undefined,
): Promise<Answer | null> {
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > CHECKPOINT_MAX_BYTES) return failure(`the checkpoint is larger than ${CHECKPOINT_MAX_BYTES} bytes`);
  run.log.flush();
  const { epoch } = run.keys;
  const seed = (of: number): string => epochSeed(run.lineageSeed, of);
  if (recorded?.again) return { value: 'null', movesTo: null, seed: seed(epoch) };
  const delivery = await run.sender.deliver(`{"kind":"checkpoint","state":${text},"epoch":${epoch}}`);
  if (delivery.kind === 'lost') return null;
  if (delivery.kind === 'refused') {
    if (!delivery.mismatch) return failure(`the checkpoint was refused: ${delivery.problem}`);
    run.end({ kind: 'resume_mismatch', message: delivery.problem });
    return null;
  }
  const next = delivery.epoch ?? epoch + 1;
  // `run.keys` stays and goes on counting: calls before this checkpoint may already have used journal keys of the epoch.
  if (next === epoch) return { value: 'null', movesTo: null, seed: seed(epoch), again: true };
  run.keys = createEpochKeys(next);
  run.told.beginEpoch(next);
  run.log.beginEpoch();
  run.gate.passOrder();
  return { value: 'null', movesTo: run.recordedAnswers ? null : delivery.timeMs, seed: seed(next) };
}

/** The server accepts names of 200 characters at most; the prefix `once/` takes five of them. */
const ONCE_NAME_MAX = 195;
/** The server accepts at most this many keys of calls with one stored value. */
const MADE_MAX = 10_000;
const Recalled = runnerEndpoints['runner.remember'].response.pick({ stored: true, made: true, now_ms: true, again: true });

/** Carries out `once`: asks for the value that the lineage stores under this name, or stores one. */
export async function remember(
  run: RunContext,
  { name, value, alone = false, drawn = 0 }: z.infer<typeof OncePayload>,
  { clockMs }: { clockMs: number },
): Promise<Answer | null> {
  if (name.length > ONCE_NAME_MAX) return failure(`the name of once is longer than ${ONCE_NAME_MAX} characters`);
  const { keys } = run;
  const begun = run.onces.get(name);
  const made =
    value !== undefined && begun?.keys === keys
      ? { epoch: keys.epoch, keys: keys.since(begun.count).slice(0, MADE_MAX), alone, drawn, now_ms: Math.floor(clockMs) }
      : undefined;
  const memory = await exchangeMemory(run, `once/${name}`, value, made);
  if (memory === null || 'error' in memory) return memory;
  // What counts as made before or after is decided when the script gets the answer: it may make other calls while the answer is kept back.
  const beginSection = (): void => {
    keys.section = name;
  };
  if (value !== undefined) {
    const onGiven = (): void => {
      // Otherwise the script of a later claim makes the value once more.
      if (!made?.alone || !begun) return;
      beginSection();
      if (begun.keys === run.keys) run.log.forgetSince(begun.said);
    };
    return { value: memory.text, onGiven };
  }
  const known = Recalled.parse(JSON.parse(memory.text));
  const begin = (): void => void run.onces.set(name, { keys, count: keys.count(), said: run.log.saidCount() });
  if (!known.stored) return { value: memory.text, onGiven: begin };
  if (run.onces.has(name)) return { value: memory.text };
  // The script makes the value once more, in the way of the earlier attempt, and then gets the stored one.
  if (known.again) return { value: '{"stored":false}', onGiven: begin };
  const onGiven = (): void => {
    begin();
    if (!known.made) return;
    // An earlier attempt stored the value. Its calls for the value count as made, so that later identical calls get new keys.
    keys.skip(known.made);
    beginSection();
  };
  // Without the time of the calls for it, the answer does not move the script's clock: in a later attempt it would come at another time.
  return { value: memory.text, onGiven, ...(known.now_ms !== undefined && { movesTo: known.now_ms }) };
}

/** Waits so long. The end of a sleep of a second or more is stored, so that a second attempt does not sleep again. */
export async function sleep(
  run: RunContext,
  { ms }: z.infer<typeof SleepPayload>,
  { clockMs, key, known }: { clockMs: number; key: () => string; known: () => void },
): Promise<Answer | null> {
  const slept: Answer = { value: 'null', movesTo: clockMs + ms };
  if (run.recordedAnswers || run.dryRun || !isStoredSleep(ms)) {
    known();
    if (run.recordedAnswers) slept.movesTo = run.nowMs + ms;
    else if (run.dryRun) await sleepDry(run, ms, clockMs);
    else await delay(ms);
    if (isStoredSleep(ms)) run.budgets.host_calls.settle('spent');
    return slept;
  }
  // Among the keys of calls, so that a value of `once` knows how many of its sleeps a later attempt leaves out.
  const answer = await awaitTime(run, Math.ceil(ms), { key: key(), known });
  if (answer === null || answer.error) return answer;
  return { value: 'null', movesTo: Math.max(clockMs + ms, answer.movesTo ?? 0) };
}

/** A dry run sleeps only while other work is under way: what it waits for alone is skipped. */
async function sleepDry(run: RunContext, ms: number, clockMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = run.waiting.forAnswer({ id: null, afterRest: true, skip: { dueMs: clockMs + ms, end: resolve } });
  const over = new AbortController();
  await Promise.race([promise, pause(run, ms, over.signal)]);
  over.abort();
  ended();
}

/** Whether the server stores the end of such a sleep; only then does the sleep count as a host call. */
export function isStoredSleep(ms: number): boolean {
  return ms >= KEPT_SLEEP_MS;
}

type Memory = { text: string };

async function exchangeMemory(
  run: RunContext,
  name: string,
  value: Json | undefined,
  made?: CallsMade,
): Promise<Memory | { error: NonNullable<Answer['error']> } | null> {
  const body = JSON.stringify({ name, value, made });
  const reply = await run.reports.untilAnswered({ to: run.reports.target(runnerEndpoints['runner.remember']), body }, run.alive);
  if (reply === null) return null;
  if (reply.status === 200) {
    return { text: reply.text };
  }
  const problem = problemOf(reply);
  if (isClaimOver(run, reply, problem)) return null;
  return { error: { name: 'Error', message: `the server refused to keep "${name}": ${problem?.detail ?? reply.status}` } };
}
