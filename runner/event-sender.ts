import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Used } from '../contract/run-events.ts';
import { type NextRun, runnerEndpoints } from '../contract/runner.ts';
import { runsEndpoints } from '../contract/runs.ts';
import { within } from '../tracing/current.ts';
import type { Report, Reports, ReportTarget } from './claim-clients.ts';
import { addEvent, type EventQueue, isFull, putBack, takeBatch } from './event-queue.ts';
import { monotonicMs } from './monotonic.ts';
import { delayAfterReport, delayOfEvent, patienceOf, verdictOf } from './sender-rules.ts';
import type { Reply } from './server-client.ts';

/** The outcome of a checkpoint or finalize event. `lost`: the claim is over, or the sender was stopped. */
export type Delivery =
  | { kind: 'stored'; timeMs: number | null; epoch: number | null; text: string }
  | { kind: 'refused'; problem: string; mismatch: boolean }
  | { kind: 'lost' };

/** Reports one run to the server: its events in order, one PATCH at a time, and heartbeats while there are no events. */
export type EventSender = {
  /** `live`: the event is sent soon; other events wait longer for the next PATCH. */
  add(json: string, live: boolean): void;
  /** Sends all events added so far and, with or after them, this checkpoint or finalize event; with a finalize event, asks for the next run. */
  deliver(json: string, next?: NextAsked | null): Promise<Delivery>;
  /** Sends all events added so far at once; resolves when the server has answered, or the sender was stopped. */
  flush(): Promise<void>;
  /** Whether no report is on its way, so that the next one is sent at once. */
  isIdle(): boolean;
  /** Tolerates a long outage of the server from now on: the worker is free already and only the run's end is left to report. */
  allowLongOutage(): void;
  stop(): void;
};
/** `reports`: to a server whose answer may be as large as a claim is. */
export type NextAsked = { reports: Reports; next: NextRun };
type SenderOptions = { reports: Reports; leaseMs: number; used: () => Used };
type SenderEvents = {
  /** The server says that this claim is over, or it could not be reached for a whole lease. */
  onLost(reason: string): void;
  /** The server refused these events as they are. */
  onRefused(code: string, detail: string): void;
};

/**
 * idle → sending, when a report is due, the queue is full or an event is to be delivered; sending → idle, when nothing of that is left;
 * from both of them to stopped.
 */
type SenderState = {
  phase: 'idle' | 'sending' | 'stopped';
  queue: EventQueue;
  /** Checkpoint and finalize events, whose senders wait for the answer; null: somebody waits for the events before alone. */
  deliveries: { json: string | null; next: NextAsked | null; settle(delivery: Delivery): void }[];
  /** While idle: when the next report is sent. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  /** How many reports were made, and when the last one was. */
  reported: number;
  sentAt: number;
  /** When the last report that was answered was sent, and how long the claim is kept without a further answer. */
  answeredAt: number;
  patienceMs: number;
};
type Sender = SenderOptions & SenderEvents & { state: SenderState; to: ReportTarget; nonce: string };

/** The first PATCH confirms the claim (spec RU4). */
const CONFIRM_MS = 150;
const RETRY_MS = 200;
const FINALIZE_PATIENCE_MS = 600_000;
const PATCH_TIMEOUT_MS = 15_000;

export function createEventSender(options: SenderOptions, events: SenderEvents): EventSender {
  const state: SenderState = {
    phase: 'idle',
    queue: { events: [], bytes: 0, hasLive: false },
    deliveries: [],
    dueAt: Number.POSITIVE_INFINITY,
    timer: undefined,
    reported: 0,
    sentAt: Number.NEGATIVE_INFINITY,
    answeredAt: performance.now(),
    patienceMs: patienceOf(options.leaseMs),
  };
  const to = options.reports.target(runsEndpoints['ai_tasks.append_run_events']);
  const sender: Sender = { ...options, ...events, state, to, nonce: randomUUID() };
  sendWithin(sender, CONFIRM_MS);
  const deliver = (json: string | null, next: NextAsked | null = null): Promise<Delivery> => {
    if (state.phase === 'stopped') return Promise.resolve({ kind: 'lost' });
    return new Promise((settle) => {
      state.deliveries.push({ json, next, settle });
      void send(sender);
    });
  };

  return {
    add(json, live) {
      if (state.phase === 'stopped') return;
      addEvent(state.queue, json, live);
      if (isFull(state.queue)) void send(sender);
      else sendWithin(sender, delayOfEvent(live, performance.now() - state.sentAt));
    },
    deliver,
    async flush() {
      if (state.phase === 'sending' || state.queue.events.length > 0) await deliver(null);
    },
    isIdle: () => state.phase === 'idle',
    allowLongOutage() {
      state.patienceMs = FINALIZE_PATIENCE_MS;
    },
    stop: () => stop(sender),
  };
}

function stop({ state }: Sender): void {
  state.phase = 'stopped';
  clearTimeout(state.timer);
  for (const { settle } of state.deliveries.splice(0)) settle({ kind: 'lost' });
}

function isStopped({ state }: Sender): boolean {
  return state.phase === 'stopped';
}

function sendWithin(sender: Sender, ms: number): void {
  const { state } = sender;
  const at = performance.now() + ms;
  if (state.phase !== 'idle' || at >= state.dueAt) return;
  clearTimeout(state.timer);
  state.dueAt = at;
  state.timer = setTimeout(send, ms, sender);
}

async function send(sender: Sender): Promise<void> {
  const { state, leaseMs } = sender;
  if (state.phase !== 'idle') return;
  state.phase = 'sending';
  clearTimeout(state.timer);
  state.dueAt = Number.POSITIVE_INFINITY;
  do await sendBatch(sender);
  while (!isStopped(sender) && (state.deliveries.length > 0 || isFull(state.queue)));
  if (isStopped(sender)) return;
  state.phase = 'idle';
  sendWithin(sender, delayAfterReport(state.queue, leaseMs));
}

async function sendBatch(sender: Sender): Promise<void> {
  const { state, reports, used } = sender;
  const [first] = state.deliveries;
  const { events, hasRoom } = takeBatch(state.queue, Buffer.byteLength(first?.json ?? ''));
  const last = hasRoom ? first : undefined;
  const json = last?.json ?? null;
  const all = json === null ? events : [...events, json];
  const asked = last?.next ?? null;
  const next = asked === null ? '' : `,"next":${JSON.stringify(asked.next)}`;
  const request: Report = {
    to: asked === null ? sender.to : reports.target(runnerEndpoints['runner.end']),
    body: `{"events":[${all.join(',')}],"used":${JSON.stringify(used())},"clock_ms":${monotonicMs()}${next}}`,
    timeoutMs: PATCH_TIMEOUT_MS,
  };
  if (all.length > 0) request.idempotencyKey = `${sender.nonce}-${state.reported}`;
  state.reported += 1;
  state.sentAt = performance.now();
  const reply = await untilAnswered(sender, asked?.reports ?? reports, request);
  if (isStopped(sender) || reply === null) return;
  const verdict = verdictOf(reply, { count: events.length, hasLast: json !== null });
  if (verdict.kind === 'lost') lose(sender, verdict.reason);
  else if (verdict.kind === 'events_refused') sender.onRefused(verdict.code, verdict.detail);
  else if (verdict.kind === 'last_refused') {
    putBack(state.queue, events);
    state.deliveries.shift()?.settle({ ...verdict, kind: 'refused' });
  } else if (last) state.deliveries.shift()?.settle({ kind: 'stored', timeMs: reply.timeMs, epoch: reply.epoch, text: reply.text });
}

/** Sends the report until the server answers it; gives the run up when no answer has come for a whole lease. */
async function untilAnswered(sender: Sender, through: Reports, request: Report): Promise<Reply | null> {
  for (;;) {
    const sentAt = performance.now();
    // A PATCH may be sent while a call is carried out, but belongs to the whole run.
    const reply = await within(undefined, () => through.untilAnswered(request, () => keepsClaim(sender)));
    if (reply === null) return null;
    if (reply.status < 500) {
      sender.state.answeredAt = sentAt;
      return reply;
    }
    await delay(RETRY_MS);
  }
}

/** False once the sender is stopped, which a server that has not answered for too long causes. */
function keepsClaim(sender: Sender): boolean {
  const { answeredAt, patienceMs } = sender.state;
  if (performance.now() - answeredAt > patienceMs) lose(sender, 'the server could not be reached for a whole lease');
  return !isStopped(sender);
}

function lose(sender: Sender, reason: string): void {
  if (isStopped(sender)) return;
  stop(sender);
  sender.onLost(reason);
}
