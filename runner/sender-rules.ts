import type { Problem } from '../contract/errors.ts';
import type { EventQueue } from './event-queue.ts';
import { mismatchMessage, problemOf, type Reply } from './server-client.ts';

/** The first event of a run waits this long for further events, so that a short run needs only one PATCH. */
const FIRST_DELAY_MS = 2;
const LIVE_INTERVAL_MS = 40;
const QUIET_INTERVAL_MS = 250;
/** A cancelled run without events must end within 2 s (spec RU7); the request to the server takes part of that time. */
const HEARTBEAT_MS = 1500;
/** A server that restarts extends all leases by one period, so the sender does not give up sooner even when the lease is short. */
const LOST_MIN_MS = 15_000;
const LOST_CODES = new Set(['run_fenced', 'run_not_running', 'run_claimed', 'unauthorized', 'not_found']);

/** How long a new event may wait for others. `sinceSentMs`: the time since the last report was sent. */
export function delayOfEvent(live: boolean, sinceSentMs: number): number {
  return Math.max(FIRST_DELAY_MS, live ? LIVE_INTERVAL_MS - sinceSentMs : QUIET_INTERVAL_MS);
}

/** When the next report follows one that was answered: with the events that came meanwhile, or as a heartbeat. */
export function delayAfterReport({ events, hasLive }: EventQueue, leaseMs: number): number {
  if (events.length === 0) return Math.min(HEARTBEAT_MS, leaseMs / 3);
  return hasLive ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS;
}

/** How long the server may give no answer until the claim counts as over. */
export function patienceOf(leaseMs: number): number {
  return Math.max(leaseMs, LOST_MIN_MS);
}

/** What the answer to a report means. */
export type Verdict =
  | { kind: 'stored' }
  | { kind: 'lost'; reason: string }
  /** The checkpoint or finalize event is refused, and with it the whole report: the events before it are to be sent again. */
  | { kind: 'last_refused'; problem: string; mismatch: boolean }
  | { kind: 'events_refused'; code: string; detail: string };

/** `count`: how many events came before the checkpoint or finalize event, `hasLast`, with which the report ended. */
export function verdictOf(reply: Reply, { count, hasLast }: { count: number; hasLast: boolean }): Verdict {
  if (reply.status < 300) return { kind: 'stored' };
  const problem = problemOf(reply);
  const code = problem?.code ?? `status ${reply.status}`;
  if (LOST_CODES.has(code)) return { kind: 'lost', reason: `the server answered ${code}` };
  if (!hasLast || (count > 0 && !isAbout(problem, count))) return { kind: 'events_refused', code, detail: problem?.detail ?? '' };
  const mismatch = code === 'resume_mismatch';
  return { kind: 'last_refused', problem: problem === null ? code : mismatch ? mismatchMessage(problem) : problem.detail, mismatch };
}

/** Whether the server refused the event at `index`, the last one of the report, and not one of the events before it. */
function isAbout(problem: Problem | null, index: number): boolean {
  if (problem?.code === 'checkpoint_too_large' || problem?.code === 'resume_mismatch') return true;
  return problem?.errors?.some(({ pointer }) => pointer?.startsWith(`/events/${index}`)) ?? false;
}
