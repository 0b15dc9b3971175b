import { randomUUID } from 'node:crypto';
import type { Problem } from '../contract/errors.ts';
import type { Used } from '../contract/run-events.ts';
import { runsEndpoints } from '../contract/runs.ts';
import type { Report, Reports } from './claim-clients.ts';
import { mismatchMessage, problemOf, type Reply } from './server-client.ts';

/** What became of a checkpoint or finalize. `lost`: the run is no longer ours, or nobody waits. */
export type Delivery =
  | { kind: 'stored'; timeMs: number | null; epoch: number | null }
  | { kind: 'refused'; problem: string; mismatch: boolean }
  | { kind: 'lost' };

/** Reports one run: its events in order, one PATCH at a time, and a heartbeat where there is nothing to say. */
export type EventSender = {
  /** `live`: worth a PATCH soon; other events travel with the next one. */
  add(json: string, live: boolean): void;
  /** Sends all events added so far and, with or after them, this checkpoint or finalize event. */
  deliver(json: string): Promise<Delivery>;
  /** From here on the worker is gone and only the end is left to tell: a server that is down may take its time. */
  bePatient(): void;
  stop(): void;
};
export type SenderEvents = {
  /** The server says that this claim is over, or it could not be reached for a whole lease. */
  onLost(reason: string): void;
  /** The server refused these events as they are. */
  onRefused(code: string, detail: string): void;
};

const BATCH_MAX_EVENTS = 1000;
const BATCH_MAX_BYTES = 1024 * 1024;
/** First words of a run wait this long for company: a short run then costs one PATCH. */
const FIRST_DELAY_MS = 2;
const LIVE_INTERVAL_MS = 40;
const QUIET_INTERVAL_MS = 250;
const CONFIRM_MS = 150;
const RETRY_MS = 200;
/** A cancelled run that says nothing must be gone within 2 s (automation.md §3): the way to the server included. */
const HEARTBEAT_MS = 1500;
/** A server that comes back gives all leases one more period: a short lease is no reason to give up sooner. */
const LOST_MIN_MS = 15_000;
const FINALIZE_PATIENCE_MS = 600_000;
const PATCH_TIMEOUT_MS = 15_000;
const LOST_CODES = new Set(['run_fenced', 'run_not_running', 'run_claimed', 'unauthorized', 'not_found']);

export function createEventSender(
  { reports, leaseMs, used }: { reports: Reports; leaseMs: number; used: () => Used },
  { onLost, onRefused }: SenderEvents,
): EventSender {
  const to = reports.place(runsEndpoints['ai_tasks.append_run_events']);
  const nonce = randomUUID();
  const heartbeatMs = Math.min(HEARTBEAT_MS, leaseMs / 3);
  let queue: string[] = [];
  let queuedBytes = 0;
  const controls: { json: string; settle(delivery: Delivery): void }[] = [];
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
    deliver(json) {
      if (stopped) return Promise.resolve({ kind: 'lost' });
      return new Promise((settle) => {
        controls.push({ json, settle });
        void send();
      });
    },
    bePatient() {
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
    const request: Report = { to, body: `{"events":[${all.join(',')}],"used":${JSON.stringify(used())}}`, timeoutMs: PATCH_TIMEOUT_MS };
    if (all.length > 0) request.idempotencyKey = `${nonce}-${batches}`;
    batches += 1;
    lastSentAt = performance.now();
    const reply = await patchUntilAnswered(request);
    if (stopped || reply === null) return;
    if (reply.status < 300) {
      if (last) controls.shift()?.settle({ kind: 'stored', timeMs: reply.timeMs, epoch: reply.epoch });
      return;
    }
    const problem = problemOf(reply);
    const code = problem?.code ?? `status ${reply.status}`;
    if (LOST_CODES.has(code)) return lose(`the server answered ${code}`);
    if (last && (events.length === 0 || isAboutLast(problem, events.length))) {
      // Refused as a whole: what came before it goes again.
      queue = [...events, ...queue];
      queuedBytes += bytesOf(events);
      const mismatch = code === 'resume_mismatch';
      const told = problem === null ? code : mismatch ? mismatchMessage(problem) : problem.detail;
      controls.shift()?.settle({ kind: 'refused', problem: told, mismatch });
      return;
    }
    onRefused(code, problem?.detail ?? '');
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

  /** Sends until answered; a lease without any answer ends the run here. */
  async function patchUntilAnswered(request: Report): Promise<Reply | null> {
    for (;;) {
      const sentAt = performance.now();
      const reply = await reports.untilAnswered(request, () => !stopped && !checkLease());
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

/** Whether the refusal is about the last event of the batch rather than one of those before it. */
function isAboutLast(problem: Problem | null, index: number): boolean {
  if (problem?.code === 'checkpoint_too_large' || problem?.code === 'resume_mismatch') return true;
  return problem?.errors?.some(({ pointer }) => pointer?.startsWith(`/events/${index}`)) ?? false;
}

function bytesOf(events: string[]): number {
  return events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
}
