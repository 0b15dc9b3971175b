import type { OrderRow } from '../../../contract/orders.ts';
import { check, dryRun, type EvalCase, search, usualTurns, write } from '../case.ts';

const permissions = ['admin_api.orders.read'];
const sum = (orders: readonly OrderRow[]): number => orders.reduce((total, order) => total + order.total, 0);
const isKept = ({ status }: OrderRow): boolean => status !== 'cancelled';

const byCountry = `
export default async function main() {
  const totals: Record<string, number> = {};
  for await (const { status, shipping_country, total } of admin.orders.each({}))
    if (status !== 'cancelled') totals[shipping_country] = (totals[shipping_country] ?? 0) + total;
  for (const [country, total] of Object.entries(totals)) result('revenue', country || 'no country', { total: shop.decimal(total) });
  return Object.fromEntries(Object.entries(totals).map(([country, total]) => [country || 'none', shop.decimal(total)]));
}
`;

export const reportCases: readonly EvalCase[] = [
  {
    name: 'revenue-by-country',
    topic: 'reports',
    wish: 'I want to see the total of all orders for each country they were shipped to, without the cancelled ones.',
    permissions,
    changes: () => [],
    shows: ({ orders }) =>
      [...Map.groupBy(orders.filter(isKept), ({ shipping_country }) => shipping_country)].map(([, list]) => String(sum(list))),
    // What it has read is more than the model can read.
    notices: ['shortened'],
    turns: [
      {
        text: 'I look at some orders.',
        calls: [search('orders'), { name: 'call', input: { operation: 'orders.list', params: { per_page: 40 } } }],
      },
      (asked) => {
        const has = (tool: string): boolean => asked.said.some(({ calls }) => calls.some(({ name }) => name === tool));
        if (!asked.body.includes('(shortened')) return { error: 'too_long' };
        if (!has('write_draft')) return { calls: [write(byCountry, permissions)] };
        return has('dry_run') ? { text: 'The run shows the total of each country. It changes nothing.' } : { calls: [check, dryRun()] };
      },
    ],
  },
  {
    name: 'cancelled-orders-csv',
    topic: 'reports',
    wish: 'Make a CSV file with the number (public id) and the total of every cancelled order.',
    permissions: [...permissions, 'file_download'],
    changes: () => [],
    shows: ({ orders }) => orders.filter(({ status }) => status === 'cancelled').map(({ public_id }) => public_id),
    turns: usualTurns({
      query: 'orders list status, write a file',
      source: `
export default async function main() {
  const lines = ['order;total'];
  for await (const { public_id, total } of admin.orders.each({ status: 'cancelled' })) lines.push(\`\${public_id};\${shop.decimal(total)}\`);
  await files.write('cancelled-orders.csv', \`\${lines.join('\\n')}\\n\`, 'text/csv');
  return { orders: lines.length - 1 };
}
`,
      permissions: [...permissions, 'file_download'],
      says: 'The file cancelled-orders.csv lists them.',
    }),
  },
  {
    name: 'paid-revenue',
    topic: 'reports',
    wish: 'How much money did we take with orders that are paid and delivered, in total and on average per order? Only show it.',
    permissions,
    changes: () => [],
    shows: ({ orders }) => {
      const meant = orders.filter(({ status, payment_status }) => status === 'delivered' && payment_status === 'paid');
      return [String(sum(meant)), String(meant.length)];
    },
    // The service is overloaded in the middle of its answer.
    notices: ['failed'],
    turns: [
      { text: 'I look up what orders tell.', calls: [search('orders payment status total')], breaks: 'overloaded' },
      ...usualTurns({
        query: 'orders payment status total',
        source: `
export default async function main() {
  let count = 0;
  let total = 0;
  for await (const order of admin.orders.each({ status: 'delivered', payment_status: 'paid' })) {
    count += 1;
    total += order.total;
  }
  log(\`\${count} orders, \${shop.money(total)}\`);
  return { count, total: shop.decimal(total), average: shop.decimal(count === 0 ? 0 : Math.round(total / count)) };
}
`,
        permissions,
        says: 'The result has the number of orders, their total and the average.',
      }),
    ],
  },
  {
    name: 'best-customers',
    topic: 'reports',
    wish: 'Who are our three best customers by the total of their orders that were not cancelled? Show their numbers and what they spent.',
    permissions,
    changes: () => [],
    shows: ({ orders }) => {
      const spent = [...Map.groupBy(orders.filter(isKept), ({ customer_id }) => customer_id)].filter(([id]) => id !== null);
      return spent
        .map(([, list]) => sum(list))
        .toSorted((a, b) => b - a)
        .slice(0, 3)
        .map(String);
    },
    turns: usualTurns({
      query: 'orders of a customer',
      source: `
export default async function main() {
  const spent = new Map<number, number>();
  for await (const { customer_id, status, total } of admin.orders.each({}))
    if (customer_id !== null && status !== 'cancelled') spent.set(customer_id, (spent.get(customer_id) ?? 0) + total);
  const best = [...spent].sort(([, a], [, b]) => b - a).slice(0, 3);
  return best.map(([customer_id, total]) => ({ customer_id, spent: shop.decimal(total) }));
}
`,
      permissions,
      says: 'The result has the three customers.',
    }),
  },
];
