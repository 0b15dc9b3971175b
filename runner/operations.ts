import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Problem } from '../contract/errors.ts';
import { CHECKPOINT_MAX_BYTES, type Json, type JsonObject } from '../contract/run-events.ts';
import { type CallsMade, runnerEndpoints } from '../contract/runner.ts';
import type { ArtifactUploads } from './artifact-uploads.ts';
import type { Budget } from './budget.ts';
import { createEpochKeys, type EpochKeys, epochSeed } from './call-key.ts';
import type { Reports, ScriptCalls } from './claim-clients.ts';
import type { EventSender } from './event-sender.ts';
import type { Cause } from './outcome.ts';
import type { RecordedTurn } from './recording.ts';
import type { RunLog } from './run-log.ts';
import { problemOf, type Reply } from './server-client.ts';
import type { Traffic } from './traffic.ts';
import type { Waiting } from './waiting.ts';

/** Answer to one call, as the worker gets it. */
export type Answer = {
  value?: string;
  error?: { name: string; message: string; fields?: JsonObject };
  now_ms?: number;
  seed?: string;
  /** Of a checkpoint: the one that the script resumed from. */
  again?: boolean;
  /** Of a file: what became of it is not known, and the guest sends it once more. */
  resend?: boolean;
  /** Of a replay: the recording has no answer, for this reason; the script gets none. */
  unanswered?: string;
};

/** What the operations of one run share. */
export type RunContext = {
  calls: ScriptCalls;
  reports: Reports;
  sender: EventSender;
  log: RunLog;
  lineageSeed: string;
  heapMib: number;
  hostCalls: Budget;
  writes: Budget;
  keys: EpochKeys;
  /** What `once` was asked for in this attempt, and how many calls came before. */
  onces: Map<string, { keys: EpochKeys; count: number }>;
  traffic: Traffic;
  artifacts: ArtifactUploads;
  waiting: Waiting;
  /** The order of its answers is reported. */
  record: boolean;
  /** Of a replay: when the recorded script got its answers. */
  turns: ReadonlyMap<string, RecordedTurn> | null;
  /** Where the script's clock stands. */
  nowMs: number;
  alive(): boolean;
  end(cause: Cause): void;
  /** The claim is over: nothing more can be told to the server. */
  lose(reason: string): void;
};

/** Moves the script's clock, never backwards; the new time. */
export function advanceClock(run: RunContext, toMs: number | null): number {
  if (toMs !== null && toMs > run.nowMs) run.nowMs = toMs;
  return run.nowMs;
}

/**
 * Stores the state and begins the next epoch; or, where the server knows it for the checkpoint that the script resumed
 * from, begins the same one anew (automation.md §5, Checkpoint). `recorded`: what a replay's recording says of it.
 */
export async function storeCheckpoint(
  run: RunContext,
  { state }: { state: JsonObject },
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

type Once = { name: string; value?: Json | undefined; alone?: boolean | undefined; drawn?: number | undefined };

/** `once`: asks for what the lineage keeps under this name, or stores it. */
export async function remember(run: RunContext, { name, value, alone = false, drawn = 0 }: Once): Promise<Answer | null> {
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
export async function sleep(run: RunContext, { ms }: { ms: number }): Promise<Answer | null> {
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

export function failure(message: string): Answer {
  return { error: { name: 'Error', message } };
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

/** Ends the run where the answer says that the claim is over. */
export function isClaimOver(run: RunContext, { status }: Reply, problem: Problem | null): boolean {
  const over = status === 401 || problem?.code === 'run_fenced' || problem?.code === 'run_not_running';
  if (over) run.lose(`the server answered ${problem?.code ?? status}`);
  return over;
}
