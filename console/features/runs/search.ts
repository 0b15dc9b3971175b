import type { EndReason } from '../../../contract/run-events.ts';
import type { WaitingReason } from '../../../contract/runs.ts';
import type { UndoState } from '../../../contract/undo.ts';
import { dateOf, defined, idOf, type OpenThread, oneOf, type Search, textOf, threadOf } from '../../parts/search.ts';

export const tabs = ['log', 'effects', 'calls', 'results', 'files', 'checkpoints', 'questions', 'compare'] as const;
export type RunTab = (typeof tabs)[number];

export const undoStates = ['ready', 'conflict', 'irreversible', 'already_as_before'] as const satisfies readonly UndoState[];

/** What the address says of a run: the tab, the text that is searched in the log, the line, the run beside it, which rows of an undo, the thread of the assistant. */
export type RunSearch = {
  tab?: RunTab;
  find?: string;
  line?: number;
  result?: string;
  with?: number;
  rows?: UndoState;
  thread?: OpenThread;
};

export function readRunSearch(raw: Search): RunSearch {
  return defined({
    tab: oneOf(tabs, raw['tab']),
    find: textOf(raw['find']),
    line: idOf(raw['line']),
    result: textOf(raw['result']),
    with: idOf(raw['with']),
    rows: oneOf(undoStates, raw['rows']),
    thread: threadOf(raw['thread']),
  });
}

export const statuses = ['running', 'success', 'failed', 'timed_out', 'interrupted', 'resumed', 'cancelled'] as const;
export const waitingReasons = [
  'no_runner',
  'runners_busy',
  'concurrency',
  'prompt',
  'task',
  'event',
  'signal',
  'sleep',
  'retry',
] as const satisfies readonly WaitingReason[];

export const endReasons = [
  'completed',
  'script_error',
  'heap',
  'cpu',
  'wall',
  'budget',
  'lost_runner',
  'lost_worker',
  'drained',
  'cancelled',
  'revoked',
  'expired',
  'prompt_timeout',
  'resume_mismatch',
  'replay_parted',
  'sandbox',
] as const satisfies readonly EndReason[];

/** What the address says of the list of runs. An external client may have given a run a status of its own. */
export type RunsSearch = {
  status?: string;
  waiting?: WaitingReason;
  dry?: 'only' | 'none';
  end?: EndReason;
  by?: string;
  since?: string;
  from?: string;
  to?: string;
  q?: string;
  task?: number;
  cursor?: string;
};

export function readRunsSearch(raw: Search): RunsSearch {
  return defined({
    status: textOf(raw['status']),
    waiting: oneOf(waitingReasons, raw['waiting']),
    dry: oneOf(['only', 'none'], raw['dry']),
    end: oneOf(endReasons, raw['end']),
    by: matching(/^(admin|schedule|trigger|hook|handler|run):\d{1,16}$/, raw['by']),
    since: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/, raw['since']),
    from: dateOf(raw['from']),
    to: dateOf(raw['to']),
    q: textOf(raw['q']),
    task: idOf(raw['task']),
    cursor: textOf(raw['cursor']),
  });
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}
