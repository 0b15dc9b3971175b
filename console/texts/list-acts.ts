import { translated, type Words } from '../language/translated.ts';

/** What lists with views, columns to choose and selected rows have in common. */
const english = {
  views: {
    shared: 'shared',
    save: 'Save as view',
    saveSubmit: 'Save view',
    name: 'Name',
    share: 'Show it to all admins',
    update: (name: string) => `Save changes to "${name}"`,
    remove: 'Delete view',
    removeTitle: (name: string) => `Delete the view "${name}"?`,
    removeShared: 'It is gone for all admins. What it lists stays as it is.',
    removeOwn: 'What it lists stays as it is.',
  },
  columns: 'Columns',
  usualColumns: 'The usual ones',
  selected: (count: string) => `${count} selected`,
  selectAll: (total: string, words: string) => (words === '' ? `Select all ${total}` : `Select all ${total} that match ${words}`),
  clear: 'Clear',
  working: (done: string, total: string) => `${done} of ${total} …`,
  failed: (count: string) => `${count} could not be changed:`,
  more: (count: string) => `and ${count} more`,
  export: 'Export as CSV',
  exportMax: (most: string) => `A file has at most ${most} lines. Narrow the filters.`,
  runTask: 'Run a task on them …',
  run: {
    title: (count: string) => `Run a task on ${count} selected`,
    find: 'Find a task',
    none: (kind: string) => `No task takes them. One that does declares a parameter of the kind ${kind}.`,
    noneFound: 'No task of this name takes them.',
    chosen: (name: string, count: string) => `${name}, on ${count} selected.`,
    dryFirst: 'Dry run first: shows what would change, and changes nothing',
    dry: 'Start the dry run',
    live: 'Run it now',
    other: 'Another task',
  },
} as const;

export type ListActsText = Words<typeof english>;
export const listActsText = translated('listActs', english);
