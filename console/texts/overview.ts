import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Today',
  note: (date: string) => `${date}, in the shop's time`,
  revenue: 'Revenue today',
  ordersToday: 'Orders today',
  newCustomers: 'New customers, this month',
  toSend: 'To send',
  yesterday: (value: string) => `${value} yesterday`,
  inAll: (count: string) => `${count} in all`,
  onTheirWay: (count: string) => `${count} on their way`,
  trend: 'Revenue, 60 days',
  trendDay: (date: string, revenue: string, orders: number) => `${date}: ${revenue}, ${orders} ${orders === 1 ? 'order' : 'orders'}`,
  needs: 'Needs a person',
  nothing: 'Nothing waits for a person.',
  show: 'Show',
  late: (count: number) => counted(count, 'order waits too long', 'orders wait too long'),
  failed: (count: number) => counted(count, 'payment failed', 'payments failed'),
  inquiries: (count: number) => counted(count, 'inquiry has no answer', 'inquiries have no answer'),
  outOfStock: (count: number) => counted(count, 'product is out of stock', 'products are out of stock'),
  lowStock: (count: number) => counted(count, 'product is low on stock', 'products are low on stock'),
  question: (task: string) => `“${task}” asks something`,
  answer: 'Answer',
  proposal: (by: string | null) => `A plan to run once waits for you, proposed by ${by ?? 'somebody who was deleted'}`,
  changesRequested: (task: string, version: number) => `Changes are requested on version ${version} of “${task}”`,
  version: (task: string, version: number) => `Version ${version} of “${task}” waits for approval`,
  review: 'Review',
  decisions: (count: number) => `${countText(count)} questions and versions wait for a decision`,
  runEnds: {
    failed: (count: number) => counted(count, 'run has failed since yesterday', 'runs have failed since yesterday'),
    timed_out: (count: number) => counted(count, 'run took too long since yesterday', 'runs took too long since yesterday'),
  },
  manyRunEnds: {
    failed: (count: number) => `More than ${countText(count)} runs have failed since yesterday`,
    timed_out: (count: number) => `More than ${countText(count)} runs took too long since yesterday`,
  },
  interruptedRuns: (count: number) => `${countText(count)} runs were interrupted`,
  interrupted: (task: string) => `“${task}” was interrupted`,
  plan: (task: string) => `The plan of “${task}” can be applied`,
  seePlan: 'See the plan',
  runs: 'Runs',
  allRuns: 'All runs',
  noRuns: 'No task has run yet.',
  newest: 'Newest orders',
  noOrders: 'The shop has no orders yet.',
  noDashboard: 'Your token may not read the dashboard.',
} as const;

export type OverviewText = Words<typeof english>;
export const overviewText = translated('overview', english);
