import type { Run } from '../../contract/runs.ts';
import { runPartsText as t } from '../texts/run-parts.ts';
import { Sentence } from '../ui/page.tsx';
import { Status, type Tone } from '../ui/status.tsx';
import { useAdminName } from './admin-names.ts';
import { Moment } from './values.tsx';
import '../ui/list.css';

/** What a list knows of a run; a task's list knows the status alone. */
export type RunState = Pick<Run, 'status'> & Partial<Pick<Run, 'waiting_reason' | 'end_reason' | 'dry_run' | 'applied_by_run_id'>>;

/**
 * How a run is told of: what moves is blue, what failed red, what needs a person amber, what rests grey. A machine that waits for
 * another machine is grey, too. The plan of a dry run is dashed, as all that has not happened.
 */
export function toneOfRun({ status, waiting_reason, dry_run, applied_by_run_id }: RunState): Tone {
  if (status === 'running') return waiting_reason ? (waiting_reason === 'prompt' ? 'need' : 'rest') : 'move';
  if (status === 'success') return dry_run && !applied_by_run_id ? 'dry' : 'done';
  return tones[status] ?? 'rest';
}

const tones: Record<string, Tone> = { failed: 'fail', timed_out: 'fail', interrupted: 'need' };

/** The status in words; an external client may have given one of its own. */
export function wordsOfRun({ status, waiting_reason, dry_run, applied_by_run_id }: RunState): string {
  if (status === 'running' && waiting_reason) return t.waiting[waiting_reason];
  if (status === 'success' && dry_run) return applied_by_run_id ? t.planApplied : t.planReady;
  return t.status[status] ?? status;
}

export function RunStatus({ run }: { run: RunState }) {
  return <Status tone={toneOfRun(run)}>{wordsOfRun(run)}</Status>;
}

/** Which attempt a run waits for, and when it comes. */
export function NextAttempt({
  run: { attempt, attempts, next_attempt_at: at },
}: {
  run: Pick<Run, 'attempt' | 'attempts' | 'next_attempt_at'>;
}) {
  if (at === null) return null;
  return (
    <span>
      <Sentence words={t.nextAttempt} parts={[t.attemptOf(attempt, attempts), <Moment key="at" at={at} kind="second" />]} />
    </span>
  );
}

/** Why a run ended, where that says more than its status does. */
export function endWords(reason: string | null | undefined): string | undefined {
  if (!reason || reason === 'completed' || reason === 'cancelled') return undefined;
  return ended[reason] ?? reason;
}

const ended: Readonly<Record<string, string>> = t.ended;

/** In one line, what a run says that it is about. */
export function RunAbout({ run: { description } }: { run: Partial<Pick<Run, 'description'>> }) {
  return description ? <bdi className="muted">{description}</bdi> : null;
}

/** Who started a run: the name of an admin, or the schedule, trigger or run. */
export function StartedBy({ by }: { by: string }) {
  return useStarterName()(by);
}

export function useStarterName(): (by: string) => string {
  const nameOf = useAdminName();
  return (by) => nameOf(Number(/^admin:(\d+)$/.exec(by)?.[1])) ?? startedByText(by);
}

/** Who started a run, as `started_by` names it, without the names of admins. */
export function startedByText(by: string): string {
  const [, kind = '', id = ''] = /^(\w+):(\d+)$/.exec(by) ?? [];
  const known = (['admin', 'schedule', 'trigger', 'hook', 'handler', 'run'] as const).find((one) => one === kind);
  return known === undefined ? by : t.startedBy[known](id);
}
