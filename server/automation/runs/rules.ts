import type { NotificationType } from '../../../contract/notifications.ts';
import type { Json } from '../../../contract/run-events.ts';
import type { TaskSettings } from '../../../contract/tasks.ts';

/** End reasons that are the machine's fault, not the script's: such a run may be offered again (automation.md §3, Recovery). */
const RECOVERABLE = new Set(['lost_runner', 'lost_worker', 'drained']);

export function isOfferedAgain(settings: TaskSettings, attempt: number, endReason: string | null): boolean {
  return endReason !== null && RECOVERABLE.has(endReason) && settings.on_interrupt === 'resume' && attempt < settings.max_attempts;
}

export function isFailure(status: string): boolean {
  return status === 'failed' || status === 'timed_out';
}

/** The notification of a run's end; null for a success and for a run that a person cancelled. */
export function newsOfEnd(status: string, endReason: string | null): { type: NotificationType; title: string } | null {
  if (status === 'success' || (status === 'cancelled' && endReason !== 'revoked')) return null;
  if (isFailure(status)) return { type: 'ai_task_run_failed', title: 'A task run failed' };
  if (status === 'interrupted') return { type: 'ai_task_run_interrupted', title: 'A task run was interrupted' };
  return { type: 'ai_task_run_ended', title: 'A task run ended without success' };
}

/** JSON with sorted members, so that equal values give equal texts. */
export function canonicalText(value: Json): string {
  return JSON.stringify(value, (_, part: Json) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(byName)) : part,
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
