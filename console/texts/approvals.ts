import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Approvals',
  note: 'What waits for a person, over all tasks',
  nothing: 'Nothing waits for a person.',
  versions: 'Versions',
  prompts: 'Questions',
  oneOff: 'to run once',
  version: (number: number) => `version ${number}`,
  by: (name: string) => `by ${name}`,
  bySomebody: 'by somebody who was deleted',
  changesRequested: (who: string) => `${who} requested changes:`,
  somebody: 'Somebody',
  addsNothing: 'It may do no more than before.',
  review: 'Review',
  refusals: {
    forbidden: 'You may not approve versions.',
    self_approval: 'It is your own: another admin has to approve it.',
    permission_not_held: 'You may not do all that it does.',
  },
  question: (run: number) => `run ${run}`,
  dryRun: 'dry run',
  waitsSince: (at: string) => `waits since ${at}`,
  answer: 'Answer',
  close: 'Close',
  withheld: 'You may not see what this run has read, so you may not see its question either.',
  mayNotAnswer: 'You may not answer it: that is for those who may change tasks.',
  answered: 'Answered. The run goes on.',
} as const;

export type ApprovalsText = Words<typeof english>;
export const approvalsText = translated('approvals', english);
