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
  late: (count: number) => (count === 1 ? '1 order waits too long' : `${count} orders wait too long`),
  failed: (count: number) => (count === 1 ? '1 payment failed' : `${count} payments failed`),
  inquiries: (count: number) => (count === 1 ? '1 inquiry has no answer' : `${count} inquiries have no answer`),
  outOfStock: (count: number) => (count === 1 ? '1 product is out of stock' : `${count} products are out of stock`),
  question: (task: string) => `“${task}” asks something`,
  answer: 'Answer',
  proposal: (by: string | null) => `A plan to run once waits for you, proposed by ${by ?? 'somebody who was deleted'}`,
  version: (task: string, version: number) => `Version ${version} of “${task}” waits for approval`,
  review: 'Review',
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
