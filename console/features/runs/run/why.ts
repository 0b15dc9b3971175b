import type { Run } from '../../../../contract/runs.ts';
import { runsText } from '../../../texts/runs.ts';

const t = runsText.why;

/** What helps a run that waits or has ended; the page shows it as the act beside the sentence. */
export type Help =
  | { kind: 'resume' | 'drop' | 'again' | 'apply' | 'differences' }
  | { kind: 'raise'; limit: string; next: 'resume' | 'again' }
  | { kind: 'show'; runId: number };

export type Why = {
  tone: 'move' | 'done' | 'fail' | 'need' | 'dry' | 'plain';
  words: string;
  /** What the server or the script said. */
  detail?: string;
  /** The words say already what the server said. */
  isTold?: boolean;
  help?: Help;
};

/** One sentence that says why a run waits or how it ended; null where nothing needs to be said. */
export function whyOf(run: Run): Why | null {
  if (run.status === 'running') return whyOpen(run);
  if (run.status === 'success') return whyDone(run);
  if (run.status === 'resumed') {
    const help = run.resumed_by_run_id === null ? {} : { help: { kind: 'show', runId: run.resumed_by_run_id } as const };
    return { tone: 'plain', words: t.resumed, ...help };
  }
  return withMessage(run, whyEnded(run));
}

function whyOpen({ waiting_reason: reason, executor, dry_run }: Run): Why | null {
  if (reason && reason !== 'prompt') return { tone: 'plain', words: t[reason] };
  if (reason === 'prompt') return null;
  if (dry_run) return { tone: 'dry', words: t.dryRunning };
  return executor === 'external' ? { tone: 'plain', words: t.external } : null;
}

function whyDone(run: Run): Why | null {
  if (run.replay_of_run_id !== null) return { tone: 'plain', words: t.replayed, help: { kind: 'differences' } };
  if (!run.dry_run) return null;
  if (run.applied_by_run_id !== null) return { tone: 'done', words: t.applied, help: { kind: 'show', runId: run.applied_by_run_id } };
  return { tone: 'dry', words: t.dryDone, help: { kind: 'apply' } };
}

function whyEnded(run: Run): Why {
  const reason = run.end_reason;
  if (run.replay_of_run_id !== null && run.status !== 'cancelled') {
    const words = reason === 'replay_parted' ? t.replay_parted : (t[sentenceOf(run)] ?? t.failed);
    return { tone: 'need', words, help: { kind: 'differences' } };
  }
  switch (reason) {
    case 'heap':
      return { tone: 'fail', words: t.heap, help: { kind: 'raise', limit: 'heap_mib', next: 'again' } };
    case 'cpu':
      return { tone: 'fail', words: t.cpu, help: { kind: 'raise', limit: 'cpu_seconds', next: 'again' } };
    case 'wall':
      return { tone: 'fail', words: t.wall, help: { kind: 'raise', limit: 'wall_seconds', next: 'again' } };
    case 'script_error':
    case 'sandbox':
      return { tone: 'fail', words: t[reason], help: { kind: 'again' } };
    case 'budget':
      return whyBudget(run);
    case 'resume_mismatch':
      if (run.dry_run) return { tone: 'need', words: t.resume_mismatch_dry, help: { kind: 'again' } };
      return { tone: 'need', words: t.resume_mismatch, help: { kind: 'drop' } };
    case 'cancelled':
    case 'revoked':
    case 'expired':
      return { tone: 'plain', words: t[reason], help: { kind: 'again' } };
    default:
      return whyOther(run);
  }
}

/** Ends of which nothing but resuming, or running again, is to be said; and statuses that a client gave. */
function whyOther(run: Run): Why {
  const sentence = sentenceOf(run);
  if (run.status === 'interrupted') return { tone: 'need', words: t[sentence], help: { kind: 'resume' } };
  if (run.status === 'failed' || run.status === 'timed_out') return { tone: 'fail', words: t[sentence], help: { kind: 'again' } };
  if (run.status === 'cancelled') return { tone: 'plain', words: t.cancelled, help: { kind: 'again' } };
  return { tone: 'plain', words: t.other(run.status) };
}

type Sentence = 'lost_runner' | 'lost_worker' | 'drained' | 'prompt_timeout' | 'interrupted' | 'timed_out' | 'failed' | 'cancelled';

function sentenceOf({ end_reason: reason, status }: Run): Sentence {
  if (reason === 'lost_runner' || reason === 'lost_worker' || reason === 'drained' || reason === 'prompt_timeout') return reason;
  return status === 'interrupted' || status === 'timed_out' || status === 'cancelled' ? status : 'failed';
}

/**
 * The budget that is spent, and the limit that the server advises to raise. Where the shop gives no more, raising is no help, and the
 * server's own words say what is.
 */
function whyBudget({ error_message: message, dry_run }: Run): Why {
  const [, budget = '', size = ''] = /^the budget ([a-z_]+) of (.+?) is spent/.exec(message ?? '') ?? [];
  const limit = /: raise settings\.limits\.([a-z_]+) of the task/.exec(message ?? '')?.[1];
  if (limit === undefined) return { tone: 'need', words: t.budget, help: { kind: dry_run ? 'again' : 'resume' } };
  const name = runsText.raise.limits[limit] ?? budget;
  return { tone: 'need', words: t.budgetOf(name, size), isTold: true, help: { kind: 'raise', limit, next: dry_run ? 'again' : 'resume' } };
}

/** What the server or the script said, beneath the sentence. */
function withMessage({ error_message: message }: Run, why: Why): Why {
  return message === null || message === '' || why.isTold ? why : { ...why, detail: message };
}

/**
 * The limit that a run came up against, as its message tells it: "the budget writes of 100 is spent", "took longer than 900 s". A log
 * may have come up against its number of lines, which is no limit of the task.
 */
export function spentLimit(message: string | null): number | undefined {
  const [, digits = '', unit = ''] = /\b(?:of|than) (\d+)( lines)?/.exec(message ?? '') ?? [];
  return digits === '' || unit !== '' ? undefined : Number(digits);
}
