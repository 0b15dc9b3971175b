import { setTimeout as delay } from 'node:timers/promises';
import { runsEndpoints } from '../contract/runs.ts';
import { hostCallKinds } from '../contract/script-library.ts';
import { errorType, within } from '../tracing/current.ts';
import type { CallTurn } from './admin-call.ts';
import type { OpenCall } from './answer-gate.ts';
import { createOrderNames } from './answers-told.ts';
import { createCallQueue } from './call-queue.ts';
import type { ScriptCalls } from './claim-clients.ts';
import { type CallConditions, type HostCall, isInstant, readHostCall } from './host-calls.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { createCallNames } from './recording.ts';
import { createReplayQueue } from './replay-queue.ts';
import { type Answer, advanceClock, failure, type RunContext } from './run-context.ts';
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
  type Item = OpenCall & { id: number; call: HostCall; bytes: number; name: string } & Pick<CallConditions, 'clockMs' | 'key'>;
  let waitingBytes = 0;
  let underWay = 0;
  const nameOf = createCallNames();
  const orderNameOf = createOrderNames();
  const clock = createCallClock(run);
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
    async start(item, known) {
      waitingBytes -= item.bytes;
      await carryOut(item, known);
    },
    startInstant,
  });

  const queue = replayed ?? live;
  // Only the live queue is used: a replay meets no resume_mismatch, because the recording answers its calls one at a time.
  const turnOf = (item: Item): CallTurn => ({
    passOn() {
      for (const name of item.call.costs) run.budgets[name].settle('refunded');
      live.releaseSlot();
      return run.gate.blocked(item);
    },
    async retake() {
      while (run.alive()) {
        if (live.retakeSlot(() => reserve(run, item.call))) return true;
        await delay(LOOK_AGAIN_MS);
      }
      return false;
    },
  });

  function answer(message: ToWorker): void {
    clock.answered();
    run.waiting.work();
    send(message);
    if (unreadBytes() > UNREAD_MAX_BYTES) run.end({ kind: 'violation', message: 'the worker does not read its answers' });
  }

  /** Gives the script the answer to a call. */
  function give({ id, call, name }: Item, performed: Answer): void {
    const { again, resend, unanswered: _, movesTo, line, onGiven, ...result } = performed;
    const recorded = recordedAnswers?.get(name);
    // Without an entry in the recording, the clock of a replay stays where it was, unless the call itself moves it (a request or a sleep).
    const isTimed = !recordedAnswers || resend || (!recorded && call.movesClock);
    const target = recorded && !resend ? recorded.nowMs : isTimed ? movesTo : null;
    const now_ms = target === undefined ? undefined : advanceClock(run, target);
    if (line) run.log.adminApi(line);
    onGiven?.();
    answer({ type: 'answer', id, ...result, ...(now_ms !== undefined && { now_ms }) });
    if (run.record && !resend) run.sender.add(answeredEvent(name, now_ms, again), false);
    if (hostCallKinds[call.operation] === 'barrier' && result.error === undefined) onCheckpoint();
  }

  /** Resolves to false when the call gets no answer. */
  async function carryOut(item: Item, known: () => void = () => undefined): Promise<boolean> {
    const { call } = item;
    const settled = run.waiting.begin();
    const span = run.span && beginCallSpan(run.span, call);
    underWay += 1;
    let performed: Answer | null;
    try {
      await tellAnswers(run);
      const conditions = { recorded: recordedAnswers?.get(item.name), turn: turnOf(item), clockMs: item.clockMs, key: item.key, known };
      performed = await (span ? within(span, () => call.perform(run, conditions)) : call.perform(run, conditions));
      if (performed?.error) span?.fail(performed.error.name);
    } catch (error) {
      span?.fail(errorType(error));
      performed = failure(`the call failed: ${error instanceof Error ? error.message : 'unknown error'}`);
    } finally {
      span?.end();
    }
    const made = performed;
    const end = (): void => {
      underWay -= 1;
      settled();
    };
    if (made === null || !run.alive() || made.unanswered !== undefined) {
      run.gate.drop(item);
      end();
      return false;
    }
    const deliver = (): void => {
      if (run.alive()) give(item, made);
      end();
    };
    if (recordedAnswers) deliver();
    else run.gate.answer(item, deliver);
    return true;
  }

  function keyOf(call: HostCall): string {
    const fingerprint = call.fingerprint();
    return fingerprint === null ? '' : run.keys.next(fingerprint);
  }

  function ask(id: number, call: HostCall, bytes: number, seen: number): void {
    const { epoch } = run.keys;
    const named = call.named();
    run.told.asked(seen);
    const item: Item = {
      ...{ id, call, bytes, place: call.place, clockMs: clock.at(seen), orderName: orderNameOf(run.keys, named) },
      // A replay carries its calls out in the order of the recorded answers, and numbers them in that of the script.
      key: recordedAnswers ? made(() => keyOf(call)) : () => keyOf(call),
      name: run.record || recordedAnswers ? nameOf(epoch, named) : '',
    };
    if (!recordedAnswers) run.gate.open(item);
    queue.push(item);
  }

  return {
    receive({ id, operation, payload, seen = clock.answers() }) {
      const call = payload.length > PAYLOAD_MAX_CHARS ? null : readHostCall(operation, payload);
      if (call === null) {
        const message = `${operation}: the arguments are not acceptable`;
        if (hostCallKinds[operation] === 'instant') run.log.line(message);
        else answer({ type: 'answer', id, ...failure(message) });
        return;
      }
      waitingBytes += payload.length;
      if (isInstant(call)) queue.push({ ...UNNAMED, id, call, bytes: payload.length });
      else ask(id, call, payload.length, seen);
      if (queue.waiting() + underWay > WAITING_MAX || waitingBytes > WAITING_MAX_BYTES) {
        run.end({ kind: 'violation', message: 'the script has too many calls waiting' });
      }
    },
    rest(seen) {
      if (seen !== clock.answers()) return;
      if (replayed) return replayed.rest();
      run.gate.rest();
      run.waiting.rest();
    },
    async askUnawaited() {
      const context: RunContext = { ...run, calls: unawaited(run.calls), log: { ...run.log, adminApi: () => undefined } };
      const positionOf = ({ name }: Item): number => recordedAnswers?.get(name)?.position ?? Number.MAX_SAFE_INTEGER;
      for (const item of (replayed?.clear() ?? []).sort((a, b) => positionOf(a) - positionOf(b))) {
        if (item.call.operation !== 'admin_api' || !run.alive() || !reserve(run, item.call)) continue;
        const performed = await item.call.perform(context, { ...NO_CONDITIONS, key: item.key });
        // The recorded run has logged the call where its answer came before the script's end was known.
        if (performed?.line && recordedAnswers?.has(item.name)) run.log.adminApi(performed.line);
      }
    },
    flushEvents() {
      for (const { call } of queue.clear()) if (isInstant(call)) void call.perform(run, NO_CONDITIONS);
    },
  };
}

/** Tells the server of each call that the script did not wait for it. */
function unawaited(calls: ScriptCalls): ScriptCalls {
  return { untilAnswered: (call, alive) => calls.untilAnswered({ ...call, unawaited: true }, alive) };
}

/** What no instant call has, because it gets no answer. */
const UNNAMED = { name: '', orderName: '', place: null, clockMs: 0, key: () => '' };

const NO_CONDITIONS: CallConditions = {
  recorded: undefined,
  turn: { passOn: async () => false, retake: async () => true },
  clockMs: 0,
  key: () => '',
  known: () => undefined,
};

/** Calls `make` at once; what it returned or threw comes when the returned function is called. */
function made<T>(make: () => T): () => T {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Counts the answers of a script, and knows what its clock showed when it had got a number of them. */
function createCallClock(run: RunContext): { answered(): void; answers(): number; at(seen: number): number } {
  let answers = 0;
  const times = [{ answers: 0, ms: run.nowMs }];
  return {
    answers: () => answers,
    answered() {
      answers += 1;
      if (times.at(-1)?.ms !== run.nowMs) times.push({ answers, ms: run.nowMs });
    },
    at(seen) {
      while ((times[1]?.answers ?? Number.POSITIVE_INFINITY) <= seen) times.shift();
      return times[0]?.ms ?? run.nowMs;
    },
  };
}

const NO_EVENTS = '{"events":[]}';

/** Many answers are told by reports of their own, so that no call has to tell too many. */
async function tellAnswers({ told, reports, alive }: RunContext): Promise<void> {
  while (told.hasMany() && alive()) {
    const reply = await reports.untilAnswered({ to: reports.target(runsEndpoints['ai_tasks.append_run_events']), body: NO_EVENTS }, alive);
    if (reply?.timeMs === null) return;
  }
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
