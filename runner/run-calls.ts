import { setTimeout as delay } from 'node:timers/promises';
import { hostCallKinds } from '../contract/host-calls.ts';
import type { Turn } from './admin-call.ts';
import { createCallQueue } from './call-queue.ts';
import { type CallPlace, type HostCall, isInstant, readHostCall } from './host-calls.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createCallNames, type RecordedTurn } from './recording.ts';
import { createReplayQueue } from './replay-queue.ts';
import { type Answer, failure, type RunContext } from './run-context.ts';

type CallMessage = Extract<FromWorker, { type: 'call' }>;

export type CallHandler = {
  receive(message: CallMessage): void;
  /** A replay's script rests, having got so many answers. */
  rest(answers: number): void;
  /** A replay's script has ended: calls that it did not wait for are asked for as the recorded ones were. */
  askUnawaited(): Promise<void>;
  /** The run is over: what it said behind a checkpoint that never came is still said. */
  flushEvents(): void;
};

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
  type Item = { id: number; call: HostCall; bytes: number; name: string };
  let waitingBytes = 0;
  let answers = 0;
  const nameOf = createCallNames();
  const { turns } = run;
  const startInstant = ({ call, bytes }: Item): void => {
    waitingBytes -= bytes;
    void call.perform(run, NO_PLACE);
  };
  const replayed =
    turns &&
    createReplayQueue<Item>({
      isInstant: ({ call }) => isInstant(call),
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
    kindOf: ({ call }) => hostCallKinds[call.operation],
    mayStart: ({ call }) => run.alive() && reserve(run, call),
    async start(item) {
      waitingBytes -= item.bytes;
      await carryOut(item);
    },
    startInstant,
  });

  const queue = replayed ?? live;
  // No replay meets a mismatch: its calls are answered one at a time, by the recording.
  const turnOf = (call: HostCall): Turn => ({
    giveUp() {
      for (const name of call.costs) run.budgets[name].settle('refunded');
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
  async function carryOut({ id, call, name }: Item): Promise<boolean> {
    const { nowMs } = run;
    const settled = run.waiting.begin();
    try {
      const recorded = turns?.get(name);
      const performed = await call.perform(run, { recorded, turn: turnOf(call) });
      if (performed === null || !run.alive() || performed.unanswered !== undefined) return false;
      const { again, resend, ...result } = performed;
      if (turns && !resend) keepTime(run, result, nowMs, recorded, call.movesClock);
      answer({ type: 'answer', id, ...result });
      if (run.record && !resend) run.sender.add(answeredEvent(name, result.now_ms, again), false);
      if (unreadBytes() > UNREAD_MAX_BYTES) run.end({ kind: 'violation', message: 'the worker does not read its answers' });
      if (hostCallKinds[call.operation] === 'barrier' && result.error === undefined) onCheckpoint();
      return true;
    } catch (error) {
      if (run.alive())
        answer({ type: 'answer', id, ...failure(`the call failed: ${error instanceof Error ? error.message : 'unknown error'}`) });
      return true;
    } finally {
      settled();
    }
  }

  return {
    receive({ id, operation, payload }) {
      const call = payload.length > PAYLOAD_MAX_CHARS ? null : readHostCall(operation, payload);
      if (call === null) {
        const message = `${operation}: the arguments are not acceptable`;
        if (hostCallKinds[operation] === 'instant') run.log.line(message);
        else answer({ type: 'answer', id, ...failure(message) });
        return;
      }
      waitingBytes += payload.length;
      const name = !isInstant(call) && (run.record || turns) ? nameOf(run.keys.epoch, call.named()) : '';
      queue.push({ id, call, bytes: payload.length, name });
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
        if (call.operation === 'admin_api' && run.alive() && reserve(run, call)) await call.perform(silent, NO_PLACE);
      }
    },
    flushEvents() {
      for (const { call } of queue.clear()) if (isInstant(call)) void call.perform(run, NO_PLACE);
    },
  };
}

const NO_PLACE: CallPlace = { recorded: undefined, turn: { giveUp: () => undefined, takeAgain: async () => true } };

/** The script's clock stands where the recorded one stood; without a recorded turn where it was, or where a call or sleep puts it. */
function keepTime(run: RunContext, result: Answer, beforeMs: number, turn: RecordedTurn | undefined, movesClock: boolean): void {
  run.nowMs = turn ? Math.max(beforeMs, turn.nowMs ?? 0) : movesClock ? run.nowMs : beforeMs;
  result.now_ms = run.nowMs;
}

/** The script's clock has whole milliseconds; a sleep may end between two. */
function answeredEvent(call: string, nowMs: number | undefined, again: boolean | undefined): string {
  return JSON.stringify({ kind: 'answered', call, now_ms: nowMs === undefined ? undefined : Math.floor(nowMs), again });
}

function partingMessage(calls: readonly HostCall[]): string {
  const named = calls.slice(0, 3).map(({ shown }) => shown);
  const rest = calls.length > named.length ? ` and ${calls.length - named.length} more` : '';
  return `the recording has no answer to ${named.join(', ')}${rest}`;
}

/** Reserves what the call may cost. False: it must wait, or the run just ended for want of budget. */
function reserve(run: RunContext, { costs }: HostCall): boolean {
  for (const name of costs) {
    const budget = run.budgets[name];
    const state = budget.state();
    if (state === 'spent') run.end({ kind: 'budget', budget: name, limit: String(budget.limit) });
    if (state !== 'free') return false;
  }
  for (const name of costs) run.budgets[name].reserve();
  return true;
}
