import { randomUUID } from 'node:crypto';
import type { Problem } from '../contract/errors.ts';
import type { Used } from '../contract/run-events.ts';
import { type NextRun, runnerEndpoints } from '../contract/runner.ts';
import { runsEndpoints } from '../contract/runs.ts';
import { within } from '../tracing/current.ts';
import type { Report, Reports } from './claim-clients.ts';
import { monotonicMs } from './monotonic.ts';
import { mismatchMessage, problemOf, type Reply } from './server-client.ts';

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
  /** Whether no report is on its way, so that the next one is sent at once. */
  isIdle(): boolean;
  /** Tolerates a long outage of the server from now on: the worker is free already and only the run's end is left to report. */
  allowLongOutage(): void;
  stop(): void;
};
/** `reports`: to a server whose answer may be as large as a claim is. */
export type NextAsked = { reports: Reports; next: NextRun };
export type SenderEvents = {
  /** The server says that this claim is over, or it could not be reached for a whole lease. */
  onLost(reason: string): void;
  /** The server refused these events as they are. */
  onRefused(code: string, detail: string): void;
};

const BATCH_MAX_EVENTS = 1000;
const BATCH_MAX_BYTES = 1024 * 1024;
/** The first event of a run waits this long for further events, so that a short run needs only one PATCH. */
const FIRST_DELAY_MS = 2;
const LIVE_INTERVAL_MS = 40;
const QUIET_INTERVAL_MS = 250;
/** The first PATCH confirms the claim (spec RU4). */
const CONFIRM_MS = 150;
const RETRY_MS = 200;
/** A cancelled run without events must end within 2 s (spec RU7); the request to the server takes part of that time. */
const HEARTBEAT_MS = 1500;
/** A server that restarts extends all leases by one period, so the sender does not give up sooner even when the lease is short. */
const LOST_MIN_MS = 15_000;
const FINALIZE_PATIENCE_MS = 600_000;
const PATCH_TIMEOUT_MS = 15_000;
const LOST_CODES = new Set(['run_fenced', 'run_not_running', 'run_claimed', 'unauthorized', 'not_found']);

export function createEventSender(
  { reports, leaseMs, used }: { reports: Reports; leaseMs: number; used: () => Used },
  { onLost, onRefused }: SenderEvents,
): EventSender {
  const to = reports.target(runsEndpoints['ai_tasks.append_run_events']);
  const nonce = randomUUID();
  const heartbeatMs = Math.min(HEARTBEAT_MS, leaseMs / 3);
  let queue: string[] = [];
  let queuedBytes = 0;
  const controls: { json: string; next: NextAsked | null; settle(delivery: Delivery): void }[] = [];
  let batches = 0;
  let sending = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let lastAnswerAt = performance.now();
  let lostAfterMs = Math.max(leaseMs, LOST_MIN_MS);
  let liveWaiting = false;
  sendWithin(CONFIRM_MS);

  return {
    add(json, live) {
      if (stopped) return;
      queue.push(json);
      queuedBytes += Buffer.byteLength(json);
      liveWaiting ||= live;
      if (queue.length >= BATCH_MAX_EVENTS || queuedBytes >= BATCH_MAX_BYTES) return void send();
      const sinceLastMs = performance.now() - lastSentAt;
      sendWithin(Math.max(FIRST_DELAY_MS, (live ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS) - (live ? sinceLastMs : 0)));
    },
    deliver(json, next = null) {
      if (stopped) return Promise.resolve({ kind: 'lost' });
      return new Promise((settle) => {
        controls.push({ json, next, settle });
        void send();
      });
    },
    isIdle: () => !sending,
    allowLongOutage() {
      lostAfterMs = FINALIZE_PATIENCE_MS;
    },
    stop,
  };

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
    for (const { settle } of controls.splice(0)) settle({ kind: 'lost' });
  }

  function sendWithin(ms: number): void {
    const at = performance.now() + ms;
    if (stopped || sending || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(send, ms);
  }

  async function send(): Promise<void> {
    if (sending || stopped) return;
    sending = true;
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    do await sendBatch();
    while (!stopped && (controls.length > 0 || queue.length >= BATCH_MAX_EVENTS || queuedBytes >= BATCH_MAX_BYTES));
    sending = false;
    if (queue.length === 0) sendWithin(heartbeatMs);
    else sendWithin(liveWaiting ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS);
  }

  async function sendBatch(): Promise<void> {
    const events = takeBatch();
    const last = queue.length === 0 && events.length < BATCH_MAX_EVENTS ? controls[0] : undefined;
    const all = last ? [...events, last.json] : events;
    const asked = last?.next ?? null;
    const next = asked === null ? '' : `,"next":${JSON.stringify(asked.next)}`;
    const request: Report = {
      to: asked === null ? to : reports.target(runnerEndpoints['runner.end']),
      body: `{"events":[${all.join(',')}],"used":${JSON.stringify(used())},"clock_ms":${monotonicMs()}${next}}`,
      timeoutMs: PATCH_TIMEOUT_MS,
    };
    if (all.length > 0) request.idempotencyKey = `${nonce}-${batches}`;
    batches += 1;
    lastSentAt = performance.now();
    const reply = await untilAnswered(asked?.reports ?? reports, request);
    if (stopped || reply === null) return;
    if (reply.status < 300) {
      if (last) controls.shift()?.settle({ kind: 'stored', timeMs: reply.timeMs, epoch: reply.epoch, text: reply.text });
      return;
    }
    const problem = problemOf(reply);
    const code = problem?.code ?? `status ${reply.status}`;
    if (LOST_CODES.has(code)) return lose(`the server answered ${code}`);
    if (last && (events.length === 0 || isAboutLast(problem, events.length))) {
      // The server refused the whole report, so the events before the refused one are sent again.
      putBack(events);
      const mismatch = code === 'resume_mismatch';
      const told = problem === null ? code : mismatch ? mismatchMessage(problem) : problem.detail;
      controls.shift()?.settle({ kind: 'refused', problem: told, mismatch });
      return;
    }
    onRefused(code, problem?.detail ?? '');
  }

  function putBack(events: string[]): void {
    queue = [...events, ...queue];
    queuedBytes += bytesOf(events);
  }

  function takeBatch(): string[] {
    let bytes = 0;
    let count = 0;
    while (count < queue.length && count < BATCH_MAX_EVENTS && (count === 0 || bytes < BATCH_MAX_BYTES)) {
      bytes += Buffer.byteLength(queue[count] ?? '');
      count += 1;
    }
    queuedBytes -= bytes;
    if (count === queue.length) liveWaiting = false;
    return queue.splice(0, count);
  }

  /** Sends the report until the server answers it; gives the run up when no answer has come for a whole lease. */
  async function untilAnswered(through: Reports, request: Report): Promise<Reply | null> {
    for (;;) {
      const sentAt = performance.now();
      // A PATCH may be sent while a call is carried out, but belongs to the whole run.
      const reply = await within(undefined, () => through.untilAnswered(request, () => !stopped && !checkLease()));
      if (reply === null) return null;
      if (reply.status < 500) {
        lastAnswerAt = sentAt;
        return reply;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  function checkLease(): boolean {
    if (!stopped && performance.now() - lastAnswerAt > lostAfterMs) lose('the server could not be reached for a whole lease');
    return stopped;
  }

  function lose(reason: string): void {
    if (stopped) return;
    stop();
    onLost(reason);
  }
}

/** Whether the server refused the event at `index`, the last one of the PATCH, and not one of the events before it. */
function isAboutLast(problem: Problem | null, index: number): boolean {
  if (problem?.code === 'checkpoint_too_large' || problem?.code === 'resume_mismatch') return true;
  return problem?.errors?.some(({ pointer }) => pointer?.startsWith(`/events/${index}`)) ?? false;
}

function bytesOf(events: string[]): number {
  return events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
}
