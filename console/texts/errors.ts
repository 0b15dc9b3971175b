import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Errors',
  note: 'How runs failed. Runs that failed in the same way stand together.',
  tabs: { open: 'Open', resolved: 'Resolved', ignored: 'Ignored', all: 'All' },
  columns: { error: 'Error', days: 'Lately', count: 'Runs', versions: 'Versions', last: 'Last seen', state: 'State' },
  states: { open: 'Open', ignored: 'Ignored', resolved: 'Resolved' },
  returned: 'has come back',
  noMessage: 'Without a message',
  withheld: 'The message is withheld: you may not read all that the task may.',
  empty: 'No task has an open error.',
  further: 'Nothing found so far. The next page searches further.',
  search: 'Message',
  inVersion: 'Version',
  anyVersion: 'All versions',
  ofTask: (name: string) => `Task: ${name}`,
  drop: (name: string) => `Show errors of all tasks, not only of ${name}`,
  inDays: (runs: number) => `${counted(runs, 'run', 'runs')} in the last 30 days`,
  resolve: 'Mark as resolved',
  ignore: 'Ignore',
  reopen: 'Open again',
  resolvedIn: (version: number) => `Resolved in version ${version}. It is open again if a later version has it.`,
  isIgnored: 'Ignored: nobody is told of it.',
  cameBack: (at: string) => `It was resolved, and came back on ${at}.`,
  facts: {
    task: 'Task',
    count: 'Runs',
    first: 'First seen',
    last: 'Last seen',
    versions: 'Versions',
    reason: 'Ended',
    example: 'Latest run',
  },
  version: (version: number, runs: number) => `Version ${version}: ${counted(runs, 'run', 'runs')}`,
  about: 'About this error',
  message: 'Message',
  runs: 'Latest runs',
  run: (id: number) => `Run ${id}`,
  runColumns: { run: 'Run', status: 'Status', version: 'Version', started: 'Started', by: 'By' },
} as const;

export type ErrorsText = Words<typeof english>;
export const errorsText = translated('errors', english);
