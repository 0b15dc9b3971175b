import { setTimeout as delay } from 'node:timers/promises';
import { hostCallKinds } from '../contract/host-calls.ts';
import { errorType, within } from '../tracing/current.ts';
import type { CallSlot } from './admin-call.ts';
import { createCallQueue } from './call-queue.ts';
import { type CallConditions, type HostCall, isInstant, readHostCall } from './host-calls.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createCallNames, type RecordedAnswer } from './recording.ts';
import { createReplayQueue } from './replay-queue.ts';
import { type Answer, failure, type RunContext } from './run-context.ts';
import { beginCallSpan } from './run-span.ts';

type CallMessage = Extract<FromWorker, { type: 'call' }>;

export type CallHandler = {
  receive(message: CallMessage): void;
  /** The script of a replay has got this many answers and can continue only with a further one. */
  rest(answers: number): void;
  /** The script of a replay has ended: sends the admin_api calls that it did not wait for, because the recorded run sent them too. */
  askUnawaited(): Promise<void>;
  /** The run has stopped: log, progress and result events that still wait behind a checkpoint are sent. */
  flushEvents(): void;
};

const CONCURRENT_CALLS = 16;
const LOOK_AGAIN_MS = 10;
/** Calls that have not begun, and calls that have begun and take no place, such as sleeps. */
const WAITING_MAX = 200_000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const UNREAD_MAX_BYTES = 96 * 1024 * 1024;
/** Larger than every limit of a single operation, even when each character of the arguments is escaped. */
const PAYLOAD_MAX_CHARS = 8 * 1024 * 1024;

/** Carries out the calls that a worker sends, in their order and within the run's budgets. */
export function createCallHandler(
  run: RunContext,
  { answer: send, unreadBytes, onCheckpoint }: { answer: (message: ToWorker) => void; unreadBytes: () => number; onCheckpoint: () => void },
): CallHandler {
  type Item = { id: number; call: HostCall; bytes: number; name: string };
  let waitingBytes = 0;
  let underWay = 0;
  let answers = 0;
  const nameOf = createCallNames();
  const { recordedAnswers } = run;
  const startInstant = ({ call, bytes }: Item): void => {
    waitingBytes -= bytes;
    void call.perform(run, NO_CONDITIONS);
  };
  const replayed =
    recordedAnswers &&
    createReplayQueue<Item>({
      isInstant: ({ call }) => isInstant(call),
      positionOf: ({ name }) => recordedAnswers.get(name)?.position ?? null,
      async start(item) {
        waitingBytes -= item.bytes;
        return run.alive() && reserve(run, item.call) && carryOut(item);
      },
      startInstant,
      onStuck: (items) => run.end({ kind: 'replay_parted', message: noAnswerMessage(items.map(({ call }) => call)) }),
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
  // Only the live queue is used: a replay meets no resume_mismatch, because the recording answers its calls one at a time.
  const slotOf = (call: HostCall): CallSlot => ({
    release() {
      for (const name of call.costs) run.budgets[name].settle('refunded');
      live.releaseSlot();
    },
    async retake() {
      while (run.alive()) {
        if (live.retakeSlot(() => reserve(run, call))) return true;
        await delay(LOOK_AGAIN_MS);
      }
      return false;
    },
  });

  function answer(message: ToWorker): void {
    answers += 1;
    send(message);
    if (unreadBytes() > UNREAD_MAX_BYTES) run.end({ kind: 'violation', message: 'the worker does not read its answers' });
  }

  /** Resolves to false when the call gets no answer. */
  async function carryOut({ id, call, name }: Item): Promise<boolean> {
    const { nowMs } = run;
    const settled = run.waiting.begin();
    const span = run.span && beginCallSpan(run.span, call);
    underWay += 1;
    try {
      const conditions = { recorded: recordedAnswers?.get(name), slot: slotOf(call) };
      const performed = await (span ? within(span, () => call.perform(run, conditions)) : call.perform(run, conditions));
      if (performed?.error) span?.fail(performed.error.name);
      if (performed === null || !run.alive() || performed.unanswered !== undefined) return false;
      const { again, resend, ...result } = performed;
      if (recordedAnswers && !resend) keepTime(run, result, nowMs, conditions.recorded, call.movesClock);
      answer({ type: 'answer', id, ...result });
      if (run.record && !resend) run.sender.add(answeredEvent(name, result.now_ms, again), false);
      if (hostCallKinds[call.operation] === 'barrier' && result.error === undefined) onCheckpoint();
      return true;
    } catch (error) {
      span?.fail(errorType(error));
      if (run.alive())
        answer({ type: 'answer', id, ...failure(`the call failed: ${error instanceof Error ? error.message : 'unknown error'}`) });
      return true;
    } finally {
      span?.end();
      underWay -= 1;
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
      const name = !isInstant(call) && (run.record || recordedAnswers) ? nameOf(run.keys.epoch, call.named()) : '';
      queue.push({ id, call, bytes: payload.length, name });
      if (queue.waiting() + underWay > WAITING_MAX || waitingBytes > WAITING_MAX_BYTES) {
        run.end({ kind: 'violation', message: 'the script has too many calls waiting' });
      }
    },
    rest(seen) {
      if (seen === answers) replayed?.rest();
    },
    async askUnawaited() {
      const silent: RunContext = { ...run, log: { ...run.log, adminApi: () => undefined } };
      for (const { call } of replayed?.clear() ?? []) {
        if (call.operation === 'admin_api' && run.alive() && reserve(run, call)) await call.perform(silent, NO_CONDITIONS);
      }
    },
    flushEvents() {
      for (const { call } of queue.clear()) if (isInstant(call)) void call.perform(run, NO_CONDITIONS);
    },
  };
}

const NO_CONDITIONS: CallConditions = { recorded: undefined, slot: { release: () => undefined, retake: async () => true } };

/**
 * Sets the clock of a replay's script to the recorded time. Without an entry in the recording the clock stays where it was,
 * unless the call itself moves it (a request or a sleep).
 */
function keepTime(run: RunContext, result: Answer, beforeMs: number, recorded: RecordedAnswer | undefined, movesClock: boolean): void {
  run.nowMs = recorded ? Math.max(beforeMs, recorded.nowMs ?? 0) : movesClock ? run.nowMs : beforeMs;
  result.now_ms = run.nowMs;
}

/** The event that records an answer. The time is cut to whole milliseconds, as the script sees it; a sleep may end between two. */
function answeredEvent(call: string, nowMs: number | undefined, again: boolean | undefined): string {
  return JSON.stringify({ kind: 'answered', call, now_ms: nowMs === undefined ? undefined : Math.floor(nowMs), again });
}

function noAnswerMessage(calls: readonly HostCall[]): string {
  const named = calls.slice(0, 3).map(({ shown }) => shown);
  const rest = calls.length > named.length ? ` and ${calls.length - named.length} more` : '';
  return `the recording has no answer to ${named.join(', ')}${rest}`;
}

/** Reserves the budget units of the call. False: the call must wait, or the run has just ended because a budget is spent. */
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
