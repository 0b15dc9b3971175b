import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { callAdminApi, isWriteCall, settleBudgets, type Turn } from './admin-call.ts';
import { createCallQueue } from './call-queue.ts';
import { type Answer, failure, isStoredSleep, type RunContext, remember, sleep, storeCheckpoint } from './operations.ts';
import { payloads } from './payloads.ts';
import { askPrompt } from './prompts.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createCallNames, type NamedCall, type RecordedTurn } from './recording.ts';
import { createReplayQueue } from './replay-queue.ts';
import { readFile } from './run-files.ts';

type CallMessage = Extract<FromWorker, { type: 'call' }>;
type Parsed<Name extends keyof typeof payloads> = { id: number; operation: Name; payload: z.infer<(typeof payloads)[Name]> };
type AdminApiCall = Parsed<'admin_api'>;
type Call = { [Name in keyof typeof payloads]: Parsed<Name> }[keyof typeof payloads];

export type CallHandler = {
  receive(message: CallMessage): void;
  /** A replay's script rests, having got so many answers. */
  rest(answers: number): void;
  /** A replay's script has ended: calls that it did not wait for are asked for as the recorded ones were. */
  askUnawaited(): Promise<void>;
  /** The run is over: what it said behind a checkpoint that never came is still said. */
  flushEvents(): void;
};

const KINDS = {
  admin_api: 'call',
  once: 'call',
  sleep: 'detached',
  checkpoint: 'barrier',
  event: 'instant',
  file_read: 'call',
  file_write: 'call',
  prompt: 'call',
} as const;
/** Whose answers move the script's clock of themselves. */
const MOVES_CLOCK = new Set<Call['operation']>(['admin_api', 'sleep', 'prompt']);
const CONCURRENT_CALLS = 16;
const LOOK_AGAIN_MS = 10;
const WAITING_MAX = 200_000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const UNREAD_MAX_BYTES = 96 * 1024 * 1024;
/** Above every limit of a single operation, also when each character is escaped. */
const PAYLOAD_MAX_CHARS = 8 * 1024 * 1024;

/** What a worker asks for, carried out in order and within the run's budgets. */
export function createCallHandler(
  run: RunContext,
  { answer: send, unreadBytes, onCheckpoint }: { answer: (message: ToWorker) => void; unreadBytes: () => number; onCheckpoint: () => void },
): CallHandler {
  type Item = { call: Call; bytes: number; name: string };
  let waitingBytes = 0;
  let answers = 0;
  const nameOf = createCallNames();
  const { turns } = run;
  const startInstant = ({ call, bytes }: Item): void => {
    waitingBytes -= bytes;
    if (call.operation === 'event') run.log.event(call.payload);
  };
  const replayed =
    turns &&
    createReplayQueue<Item>({
      isInstant: ({ call }) => KINDS[call.operation] === 'instant',
      positionOf: ({ name }) => turns.get(name)?.position ?? null,
      async start(item) {
        waitingBytes -= item.bytes;
        return run.alive() && reserve(run, item.call) && carryOut(item);
      },
      startInstant,
      onStuck: (items) => run.end({ kind: 'parted', message: partingMessage(items.map(({ call }) => call)) }),
    });
  const live = createCallQueue<Item>({
    concurrency: CONCURRENT_CALLS,
    kindOf: ({ call }) => KINDS[call.operation],
    mayStart: ({ call }) => run.alive() && reserve(run, call),
    async start(item) {
      waitingBytes -= item.bytes;
      await carryOut(item);
    },
    startInstant,
  });

  const queue = replayed ?? live;
  // No replay meets a mismatch: its calls are answered one at a time, by the recording.
  const turnOf = (call: AdminApiCall): Turn => ({
    giveUp() {
      settleBudgets(run, call.payload, 'refunded', 'refunded');
      live.stepAside();
    },
    async takeAgain() {
      while (run.alive()) {
        if (live.goOn(() => reserve(run, call))) return true;
        await delay(LOOK_AGAIN_MS);
      }
      return false;
    },
  });

  function answer(message: ToWorker): void {
    answers += 1;
    send(message);
  }

  /** False where there is no answer. */
  async function carryOut({ call, name }: Item): Promise<boolean> {
    const { nowMs } = run;
    const settled = run.waiting.begin();
    try {
      const performed = await perform(run, call, turns?.get(name), turnOf);
      if (performed === null || !run.alive() || performed.unanswered !== undefined) return false;
      const { again, resend, ...result } = performed;
      if (turns && !resend) keepTime(run, result, nowMs, turns.get(name), MOVES_CLOCK.has(call.operation));
      answer({ type: 'answer', id: call.id, ...result });
      if (run.record && !resend) run.sender.add(answeredEvent(name, result.now_ms, again), false);
      if (unreadBytes() > UNREAD_MAX_BYTES) run.end({ kind: 'violation', message: 'the worker does not read its answers' });
      if (call.operation === 'checkpoint' && result.error === undefined) onCheckpoint();
      return true;
    } catch (error) {
      if (run.alive())
        answer({ type: 'answer', id: call.id, ...failure(`the call failed: ${error instanceof Error ? error.message : 'unknown error'}`) });
      return true;
    } finally {
      settled();
    }
  }

  return {
    receive({ id, operation, payload }) {
      const call = payload.length > PAYLOAD_MAX_CHARS ? null : parseCall(id, operation, payload);
      if (call === null) {
        const message = `${operation}: the arguments are not acceptable`;
        if (operation === 'event') run.log.event({ kind: 'log', line: message });
        else answer({ type: 'answer', id, ...failure(message) });
        return;
      }
      waitingBytes += payload.length;
      const name = run.record || turns ? nameOf(run.keys.epoch, namedAs(call, payload)) : '';
      queue.push({ call, bytes: payload.length, name });
      if (queue.waiting() > WAITING_MAX || waitingBytes > WAITING_MAX_BYTES) {
        run.end({ kind: 'violation', message: 'the script has too many calls waiting' });
      }
    },
    rest(seen) {
      if (seen === answers) replayed?.rest();
    },
    async askUnawaited() {
      const silent: RunContext = { ...run, log: { ...run.log, adminApi: () => undefined } };
      for (const { call } of replayed?.clear() ?? []) {
        if (call.operation === 'admin_api' && run.alive() && reserve(run, call)) await callAdminApi(silent, call.payload, NO_TURN);
      }
    },
    flushEvents() {
      for (const { call } of queue.clear()) if (call.operation === 'event') run.log.event(call.payload);
    },
  };
}

const NO_TURN: Turn = { giveUp: () => undefined, takeAgain: async () => true };

/** The script's clock stands where the recorded one stood; without a recorded turn where it was, or where a call or sleep puts it. */
function keepTime(run: RunContext, result: Answer, beforeMs: number, turn: RecordedTurn | undefined, movesClock: boolean): void {
  run.nowMs = turn ? Math.max(beforeMs, turn.nowMs ?? 0) : movesClock ? run.nowMs : beforeMs;
  result.now_ms = run.nowMs;
}

/** The script's clock has whole milliseconds; a sleep may end between two. */
function answeredEvent(call: string, nowMs: number | undefined, again: boolean | undefined): string {
  return JSON.stringify({ kind: 'answered', call, now_ms: nowMs === undefined ? undefined : Math.floor(nowMs), again });
}

/** The number that the script gives a file is no part of what it says: it counts anew in each attempt. */
function namedAs({ operation, payload }: Call, text: string): NamedCall {
  if (operation !== 'file_write') return { operation, said: text };
  const { write: file, ...said } = payload;
  return { operation, said: JSON.stringify(said), part: { file, offset: said.offset } };
}

function partingMessage(calls: readonly Call[]): string {
  const named = calls
    .slice(0, 3)
    .map((call) => (call.operation === 'admin_api' ? `${call.payload.method} ${call.payload.path}` : call.operation));
  const rest = calls.length > named.length ? ` and ${calls.length - named.length} more` : '';
  return `the recording has no answer to ${named.join(', ')}${rest}`;
}

function parseCall(id: number, operation: CallMessage['operation'], payload: string): Call | null {
  const value = parseJson(payload);
  switch (operation) {
    case 'admin_api':
      return accepted(payloads.admin_api.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'event':
      return accepted(payloads.event.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'checkpoint':
      return accepted(payloads.checkpoint.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'once':
      return accepted(payloads.once.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'sleep':
      return accepted(payloads.sleep.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'file_read':
      return accepted(payloads.file_read.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'file_write':
      return accepted(payloads.file_write.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    case 'prompt':
      return accepted(payloads.prompt.safeParse(value), (parsed) => ({ id, operation, payload: parsed }));
    default:
      return operation satisfies never;
  }
}

function accepted<T>(result: z.ZodSafeParseResult<T>, then: (value: T) => Call): Call | null {
  return result.success ? then(result.data) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reserves what the call may cost. False: it must wait, or the run just ended for want of budget. */
function reserve(run: RunContext, call: Call): boolean {
  if (!costsHostCall(call)) return true;
  const wanted =
    call.operation === 'admin_api' && isWriteCall(call.payload) ? (['host_calls', 'writes'] as const) : (['host_calls'] as const);
  for (const name of wanted) {
    const budget = name === 'writes' ? run.writes : run.hostCalls;
    const state = budget.state();
    if (state === 'spent') run.end({ kind: 'budget', budget: name, limit: String(budget.limit) });
    if (state !== 'free') return false;
  }
  run.hostCalls.reserve();
  if (wanted.length > 1) run.writes.reserve();
  return true;
}

function costsHostCall(call: Call): boolean {
  return call.operation !== 'event' && (call.operation !== 'sleep' || isStoredSleep(call.payload.ms));
}

async function perform(
  run: RunContext,
  call: Call,
  recorded: RecordedTurn | undefined,
  turnOf: (call: AdminApiCall) => Turn,
): Promise<Answer | null> {
  switch (call.operation) {
    case 'admin_api':
      return callAdminApi(run, call.payload, turnOf(call));
    case 'once':
      return counted(
        run,
        run.traffic.during(() => remember(run, call.payload)),
      );
    case 'checkpoint':
      return counted(run, storeCheckpoint(run, call.payload, recorded));
    case 'sleep':
      return isStoredSleep(call.payload.ms) ? counted(run, sleep(run, call.payload)) : sleep(run, call.payload);
    case 'file_read':
      return counted(run, readFile(run, call.payload));
    case 'file_write':
      return counted(run, run.artifacts.write(run, call.payload));
    case 'prompt':
      return counted(run, askPrompt(run, call.payload));
    case 'event':
      return null;
    default:
      return call satisfies never;
  }
}

async function counted(run: RunContext, answer: Promise<Answer | null>): Promise<Answer | null> {
  try {
    return await answer;
  } finally {
    run.hostCalls.settle('spent');
  }
}
