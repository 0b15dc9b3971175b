import type { ExampleTopic } from '../../contract/task-examples.ts';
import { countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const topics: Record<ExampleTopic, string> = {
  orders: 'Orders',
  products: 'Products and stock',
  customers: 'Customers',
  marketing: 'Mails and vouchers',
  reports: 'Reports',
  connections: 'Other systems',
};

const english = {
  title: 'New task',
  note: 'Start from an example, and change what you like; or start empty.',
  inEmptyShop: 'Start from an example',
  search: 'What should it do?',
  all: 'All',
  topics,
  startEmpty: 'Start empty',
  back: 'All examples',
  noMatch: 'No example matches.',
  drop: 'Show all',
  may: 'May',
  parameters: 'Parameters',
  noParameters: 'None',
  required: 'required',
  plan: 'What it would change',
  planOf: (writes: number) =>
    writes === 0
      ? 'A dry run on a sample shop changes nothing, and finds this:'
      : `A dry run on a sample shop: ${writes} ${writes === 1 ? 'change' : 'changes'}.`,
  varies: 'for example',
  found: (count: number, status: string) => `${countText(count)} × ${status}`,
  andMore: '…',
  files: 'Files to download',
  source: 'Source',
  test: 'Its test, for the command line',
  tryIt: 'Try it',
  tryNote: 'A dry run on your own shop: it reads, and keeps nothing. No task is made.',
  tryRun: 'Run it dry',
  tryCancel: 'Cancel',
  start: 'Start from this',
  startNote: 'It makes a task of your own. Nothing runs before you start it.',
  from: (title: string) => `From the example “${title}”`,
} as const;

export type ExamplesText = Words<typeof english>;
export const examplesText = translated('examples', english);
