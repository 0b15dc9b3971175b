import type { OrderRow } from '../../../contract/orders.ts';
import { anything, type Change, check, daysBefore, dryRun, type EvalCase, search, usualTurns, write } from '../case.ts';
import type { ShopData } from '../shop.ts';

const permissions = ['admin_api.orders.write', 'admin_api.order_statuses.write'];

/** Scripts that give orders an internal status; `condition` chooses the orders. */
const tagging = (filter: string, condition: string, status: string): string => `
export default async function main() {
  const { data } = await admin.order_statuses.list({ search: '${status}' });
  let status = data.find(({ name }) => name === '${status}')?.id;
  let tagged = 0;
  const limit = Temporal.PlainDate.from(shop.today()).subtract({ days: 5 }).toString();
  for await (const order of admin.orders.each({ ${filter} })) {
    if (!(${condition}) || (status !== undefined && order.internal_status_id === status)) continue;
    status ??= (await admin.order_statuses.create({ name: '${status}', color: '#b45309' })).id;
    await admin.orders.update_internal_status(order.id, { internal_status_id: status });
    tagged += 1;
  }
  log(\`\${tagged} orders of before \${limit}\`);
  return { tagged };
}
`;

const tagged = ({ orders }: ShopData, name: string, isMeant: (order: OrderRow) => boolean): Change[] => {
  const meant = orders.filter(isMeant).map(({ id }) => ({ type: 'order', id, after: { internal_status_id: anything } }));
  return meant.length === 0 ? [] : [{ type: 'order_status', id: null, after: { name } }, ...meant];
};

const late = { source: tagging("status: 'processing'", 'shop.day(order.created_at) < limit', 'Late'), permissions };
const high = { source: tagging('', "order.total >= 50_000 && order.status !== 'cancelled'", 'High value'), permissions };

export const taggingCases: readonly EvalCase[] = [
  {
    name: 'tag-late-orders',
    topic: 'tagging',
    wish: 'Mark every order that is still processing and was made more than five days ago with the internal status "Late". Make the status if we have none of that name.',
    permissions,
    changes: (data) =>
      tagged(data, 'Late', ({ status, created_at }) => status === 'processing' && created_at.slice(0, 10) < daysBefore(data.today, 5)),
    // The first call is no JSON, and the first draft does not know its permissions.
    turns: [
      {
        text: 'I look at orders and their statuses.',
        calls: [search('orders internal status'), { name: 'search_api', input: '{"query": "order_sta' }],
      },
      { calls: [write(late.source, ['admin_api.orders.read'])] },
      { calls: [check] },
      { text: 'It needs to write both.', calls: [write(late.source, permissions), check, dryRun()] },
      { text: 'The draft marks orders that are processing for more than five days as Late. You decide whether it runs every day.' },
    ],
  },
  {
    name: 'tag-large-orders',
    topic: 'tagging',
    wish: 'Give all orders of 500 euros or more, except cancelled ones, the internal status "High value". Create that status.',
    permissions,
    changes: (data) => tagged(data, 'High value', ({ status, total }) => total >= 50_000 && status !== 'cancelled'),
    // The connection breaks in the middle of the draft.
    notices: ['failed'],
    turns: [
      { calls: [search('orders list total')] },
      { text: 'I write it.', calls: [write(high.source, permissions)], breaks: 'cut' },
      { calls: [write(high.source, permissions)] },
      { calls: [check, dryRun()] },
      { text: 'The draft tags orders of 500 euros or more. Each is tagged once.' },
    ],
  },
  {
    name: 'tag-failed-payments',
    topic: 'tagging',
    wish: 'Orders that are pending because their payment failed should get the internal status "Call customer".',
    permissions,
    changes: (data) => tagged(data, 'Call customer', (order) => order.status === 'pending' && order.payment_status === 'failed'),
    // The service is busy first.
    turns: [
      { error: 'busy', retryAfter: 1 },
      ...usualTurns({
        query: 'orders payment status',
        source: tagging("status: 'pending', payment_status: 'failed'", 'true', 'Call customer'),
        permissions,
        says: 'Pending orders whose payment failed get the status Call customer.',
      }),
    ],
  },
  {
    name: 'note-big-spenders',
    topic: 'tagging',
    wish: 'Add the note "Big spender" to each customer whose orders, without cancelled ones, come to 400 euros or more. Nobody needs it twice.',
    permissions: ['admin_api.orders.read', 'admin_api.customers.write'],
    changes: ({ orders }) => {
      const spent = Map.groupBy(
        orders.filter(({ status }) => status !== 'cancelled'),
        ({ customer_id }) => customer_id,
      );
      const big = [...spent].filter(([id, list]) => id !== null && list.reduce((sum, { total }) => sum + total, 0) >= 40_000);
      return big.map(() => ({ type: 'customer_note', id: null, after: { body: 'Big spender' } }));
    },
    turns: usualTurns({
      query: 'customers notes',
      source: `
const NOTE = 'Big spender';

export default async function main() {
  const spent = new Map<number, number>();
  for await (const { customer_id, status, total } of admin.orders.each({}))
    if (customer_id !== null && status !== 'cancelled') spent.set(customer_id, (spent.get(customer_id) ?? 0) + total);
  const big = [...spent].filter(([, total]) => total >= 40_000).map(([id]) => id);
  let noted = 0;
  for (const id of big) {
    const notes = await admin.customers.list_notes(id);
    if (notes.some(({ body }) => body === NOTE)) continue;
    await admin.customers.create_note(id, { body: NOTE });
    noted += 1;
  }
  return { big: big.length, noted };
}
`,
      permissions: ['admin_api.orders.read', 'admin_api.customers.write'],
      says: 'Customers whose orders come to 400 euros or more get a note, each once.',
    }),
  },
];
