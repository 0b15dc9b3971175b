import type { BulkAction } from '../../contract/run-bulk.ts';
import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** What an act on many runs does, whom it leaves out, and what stays. */
const details: Record<BulkAction, (count: number) => string> = {
  cancel: (count) => `${counted(count, 'run is', 'runs are')} cancelled`,
  resume: (count) => `${counted(count, 'run is', 'runs are')} resumed`,
  retry: (count) => `${counted(count, 'run is', 'runs are')} started again with the same version and parameters`,
  replay: (count) => `${counted(count, 'run is', 'runs are')} replayed`,
};
const others: Record<BulkAction, string> = {
  cancel: 'have ended already',
  resume: 'are not interrupted',
  retry: 'still go on, were resumed or are replays',
  replay: 'still go on or were not recorded',
};
const ends: Record<BulkAction, string> = {
  cancel: ' What they have written so far stays.',
  resume: '',
  retry: ' What they have written before is written again.',
  replay: ' A replay changes nothing in the shop.',
};

/** Acts on many runs at once. */
const english = {
  selected: (count: number) => `${countText(count)} selected`,
  clear: 'Clear',
  close: 'Close',
  back: 'Leave them as they are',
  open: 'Act on all of them…',
  all: 'All runs that match',
  everything: 'All runs of all tasks',
  action: 'What is done',
  tooMany: 'More than 1,000 match, or not all logs could be searched. Narrow the filters first.',
  acts: {
    cancel: {
      name: 'Cancel',
      act: (count: number) => `Cancel ${counted(count, 'run', 'runs')}`,
      preview: (count: number) => `${counted(count, 'run is', 'runs are')} still going.`,
      none: 'None of them is still going.',
      done: (count: number) => `${counted(count, 'run was', 'runs were')} cancelled.`,
    },
    resume: {
      name: 'Resume',
      act: (count: number) => `Resume ${counted(count, 'run', 'runs')}`,
      preview: (count: number) => `${counted(count, 'run is', 'runs are')} interrupted.`,
      none: 'None of them is interrupted.',
      done: (count: number) => `${counted(count, 'run was', 'runs were')} resumed.`,
    },
    retry: {
      name: 'Start again',
      act: (count: number) => `Start ${counted(count, 'run', 'runs')} again`,
      preview: (count: number) => `${counted(count, 'run has', 'runs have')} ended; each is started again with its version and parameters.`,
      none: 'None of them has ended.',
      done: (count: number) => `${counted(count, 'run was', 'runs were')} started again.`,
    },
    replay: {
      name: 'Replay',
      act: (count: number) => `Replay ${counted(count, 'run', 'runs')}`,
      preview: (count: number) => `${counted(count, 'run was', 'runs were')} recorded.`,
      none: 'None of them was recorded.',
      done: (count: number) => `${counted(count, 'replay was', 'replays were')} started.`,
    },
  } satisfies Record<BulkAction, object>,
  detail: (act: BulkAction, count: number, rest: number) =>
    `${details[act](count)}${rest === 0 ? '' : `; ${countText(rest)} of the selected ${others[act]}`}.${ends[act]}`,
  ends,
  more: (count: number) => `and ${countText(count)} more`,
  refused: (count: number) => `With ${countText(count)} it was not possible:`,
} as const;

export type RunBulkText = Words<typeof english>;
export const runBulkText = translated('runBulk', english);
