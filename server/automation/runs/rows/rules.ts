import type { NotificationType } from '../../../../contract/notifications.ts';
import { RetriedReason, type Retry, type TaskSettings } from '../../../../contract/tasks.ts';

/** End reasons that are the machine's fault, not the script's: such a run may be offered again (spec RU17). */
const RECOVERABLE = new Set(['lost_runner', 'lost_worker', 'drained']);
const RETRIED: ReadonlySet<string> = new Set(RetriedReason.options);

type Attempted = { executor: string; dry_run: number; replay_of_run_id: number | null; attempt: number; retries: number };
/** How a run goes on instead of ending: `of` is the most attempts that it may come to. */
export type NextAttempt = { kind: 'recovery' } | { kind: 'retry'; of: number; delayMs: number };

/**
 * Decides whether a run gets another attempt. What the machine broke is recovered at once while the task's `max_attempts` last; any other
 * listed end, and what can be recovered no more, is retried after a delay while `retry.attempts` last. Recoveries and retries are counted
 * apart, so neither uses up the other. `jitter`: from 0 to 1.
 */
export function nextAttempt(
  { on_interrupt, max_attempts, retry }: TaskSettings,
  run: Attempted,
  { endReason, retryAfterMs }: { endReason: string | null; retryAfterMs?: number | undefined },
  jitter: number,
): NextAttempt | null {
  if (run.executor !== 'runner' || endReason === null) return null;
  const recoveries = run.attempt - 1 - run.retries;
  if (RECOVERABLE.has(endReason) && on_interrupt === 'resume' && recoveries + 1 < max_attempts) return { kind: 'recovery' };
  const isAsked = retryAfterMs !== undefined || retry.on.some((reason) => reason === endReason);
  if (!RETRIED.has(endReason) || !isAsked || whyNoRetry(retry, run) !== null) return null;
  return { kind: 'retry', of: retry.attempts + recoveries, delayMs: Math.max(delayOf(retry, run.retries, jitter), retryAfterMs ?? 0) };
}

/** Why a run of a runner gets no retry, whatever it ended with. */
export function whyNoRetry({ attempts }: Retry, run: Pick<Attempted, 'dry_run' | 'replay_of_run_id' | 'retries'>): string | null {
  if (run.dry_run === 1) return 'a dry run is not retried';
  if (run.replay_of_run_id !== null) return 'a replay is not retried';
  return run.retries + 1 < attempts ? null : `no attempt is left (settings.retry.attempts of the task is ${attempts})`;
}

/** Up to a fifth of the delay is taken off, so that runs which failed together do not all come back together. */
function delayOf({ backoff, first_ms, max_ms }: Retry, retries: number, jitter: number): number {
  const whole = Math.min(max_ms, backoff === 'fixed' ? first_ms : first_ms * 2 ** retries);
  return Math.round(whole * (1 - jitter / 5));
}

/** A duration in the largest unit that tells it well. */
export function inWords(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

function isFailure(status: string): boolean {
  return status === 'failed' || status === 'timed_out';
}

/** The notification of a run's end; null for a success and for a run that a person cancelled. */
export function noticeOfEnd(status: string, endReason: string | null): { type: NotificationType; title: string } | null {
  if (status === 'success' || (status === 'cancelled' && endReason !== 'revoked')) return null;
  if (isFailure(status)) return { type: 'ai_task_run_failed', title: 'A task run failed' };
  if (status === 'interrupted') return { type: 'ai_task_run_interrupted', title: 'A task run was interrupted' };
  return { type: 'ai_task_run_ended', title: 'A task run ended without success' };
}

export type EndEvent = 'task.run_succeeded' | 'task.run_interrupted' | 'task.run_failed';

/** The event of a run's end; null for a run that a person cancelled. */
export function eventOfEnd(status: string, endReason: string | null): EndEvent | null {
  if (status === 'success') return 'task.run_succeeded';
  if (status === 'interrupted') return 'task.run_interrupted';
  return noticeOfEnd(status, endReason) === null ? null : 'task.run_failed';
}
