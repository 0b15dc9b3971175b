import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Problem } from '../contract/errors.ts';
import { CHECKPOINT_MAX_BYTES, type Json, type JsonObject } from '../contract/run-events.ts';
import { runnerRemember } from '../contract/runner.ts';
import type { ArtifactUploads } from './artifact-uploads.ts';
import type { Budget } from './budget.ts';
import { createEpochKeys, type EpochKeys, epochSeed } from './call-key.ts';
import type { EventSender } from './event-sender.ts';
import type { Cause } from './outcome.ts';
import type { RecordedTurn } from './recording.ts';
import type { RunLog } from './run-log.ts';
import { problemOf, type Reply, type ServerClient } from './server-client.ts';
import type { Traffic } from './traffic.ts';
import type { Waiting } from './waiting.ts';

/** Answer to one call, as the worker gets it. */
export type Answer = {
  value?: string;
  error?: { name: string; message: string; fields?: JsonObject };
  now_ms?: number;
  seed?: string;
  /** Of a replay: the recording has no answer, for this reason; the script gets none. */
  unanswered?: string;
};

/** What the operations of one run share. */
export type RunContext = {
  client: ServerClient;
  sender: EventSender;
  log: RunLog;
  runId: number;
  token: string;
  lineageSeed: string;
  heapMib: number;
  hostCalls: Budget;
  writes: Budget;
  keys: EpochKeys;
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

/** Stores the state and begins the next epoch. */
export async function storeCheckpoint(run: RunContext, { state }: { state: JsonObject }): Promise<Answer | null> {
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > CHECKPOINT_MAX_BYTES) return failure(`the checkpoint is larger than ${CHECKPOINT_MAX_BYTES} bytes`);
  run.log.flush();
  const delivery = await run.sender.deliver(`{"kind":"checkpoint","state":${text},"epoch":${run.keys.epoch}}`);
  if (delivery.kind === 'lost') return null;
  if (delivery.kind === 'refused') return failure(`the checkpoint was refused: ${delivery.problem}`);
  run.keys = createEpochKeys(run.keys.epoch + 1);
  return { value: 'null', now_ms: advanceClock(run, run.turns ? null : delivery.timeMs), seed: epochSeed(run.lineageSeed, run.keys.epoch) };
}

/** The server's limit for a name of the memory, less the prefix. */
const ONCE_NAME_MAX = 195;

/** `once`: asks for what the lineage keeps under this name, or stores it. */
export async function remember(run: RunContext, { name, value }: { name: string; value?: Json | undefined }): Promise<Answer | null> {
  if (name.length > ONCE_NAME_MAX) return failure(`the name of once is longer than ${ONCE_NAME_MAX} characters`);
  const memory = await exchangeMemory(run, `once/${name}`, value);
  if (memory === null || 'error' in memory) return memory;
  // The clock stands: asking again in a later attempt would move it to another time.
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
  while (run.alive() && Date.now() < deadlineMs) await delay(Math.min(500, deadlineMs - Date.now()));
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
): Promise<Memory | { error: NonNullable<Answer['error']> } | null> {
  const body = JSON.stringify(value === undefined ? { name } : { name, value });
  const path = runnerRemember.path.replace('{run_id}', String(run.runId));
  const reply = await run.client.requestUntilAnswered({ method: 'POST', path, token: run.token, body }, run.alive);
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
