import type { AdminApi } from '../../../contract/calls.ts';

/** What the clients and the tasks work on. */
export type Goods = {
  customers: readonly number[];
  variants: readonly number[];
  /** Tasks by what they do (`tasks.ts`). */
  tasks: { steps: number; lead: number; small: number };
  /** The customer whose notes tell of the runs of the trigger. */
  told: number;
};

const CUSTOMERS = 12;
const VARIANTS = 6;
/** So few that the shop refuses some orders. */
const STOCK = 400;

/**
 * The effects of a run are numbered from 1 to `count`: each is a note, a movement of stock or a credit with the run's mark and the
 * number. Two are made at a time. Each checkpoint names the next number; a file is written at the end.
 */
const STEPS = `
const { mark, customer, variant, count } = parameters;
const step = (n) => {
  const text = mark + '/' + n;
  if (n % 3 === 0) return admin_api.post('/variants/' + variant + '/stock', { delta: 1, reason: text });
  if (n % 3 === 1) return admin_api.post('/customers/' + customer + '/notes', { body: text });
  return admin_api.post('/customers/' + customer + '/credits/adjust', { delta: 1, note: text });
};
for (let n = last_checkpoint?.next ?? 1; n <= count; n += 2) {
  await Promise.all([n, n + 1].filter((each) => each <= count).map(step));
  await sleep(40);
  if (n % 3 === 0) await checkpoint({ next: n + 2 });
}
await files.write('steps of ' + mark.replaceAll('/', ' ') + '.txt', mark + ' has made ' + count + ' steps. '.repeat(200));
export default () => ({ count });
`;

/** Makes one effect, or none. */
const SMALL = `
const { mark, customer, count } = parameters;
if (count === 1) await admin_api.post('/customers/' + customer + '/notes', { body: mark + '/1' });
export default () => ({ count });
`;

/** Starts two runs of the first task, one after the other, and waits for each. */
const LEAD = `
const { mark, customer, variant } = parameters;
let { next, sum } = last_checkpoint ?? { next: 1, sum: 0 };
while (next <= 2) {
  const { count } = await tasks.run('Steps', { mark: mark + '.' + next, customer, variant, count: 4 });
  sum += count;
  next += 1;
  await checkpoint({ next, sum });
}
export default () => ({ count: sum });
`;

const settings = { on_interrupt: 'resume', max_attempts: 1000 } as const;

/** Stocks the shop and makes the tasks. */
export async function stockShop(api: AdminApi): Promise<Goods> {
  const customers: number[] = [];
  for (let n = 0; n <= CUSTOMERS; n += 1) {
    customers.push((await api.customers.create({ name: `Regular ${n}`, email: `regular-${n}@example.com` })).id);
  }
  const rate = await api.tax_rates.create({ name: 'Full', rate_bps: 2000 });
  const variants: number[] = [];
  for (let n = 0; n < VARIANTS; n += 1) {
    const product = await api.products.create({ slug: `goods-${n}`, name: `Goods ${n}`, status: 'active', tax_rate_id: rate.id });
    variants.push((await api.products.create_variant(product.id, { sku: `GOODS-${n}`, price_cents: 500 + n, stock: STOCK })).id);
  }
  const told = customers.pop() ?? 0;

  const number = (name: string) => ({ name, kind: 'number' as const });
  const [mark, ...numbers] = [{ name: 'mark', kind: 'string' as const }, number('customer'), number('variant'), number('count')];
  const { task_id: small } = await api.ai_tasks.create({
    ...{ name: 'Small', description: '', source_code: SMALL, parameters: [mark, number('customer'), number('count')] },
    permissions: ['admin_api.customers.write'],
  });
  const { task_id: steps } = await api.ai_tasks.create({
    ...{ name: 'Steps', description: '', source_code: STEPS, parameters: [mark, ...numbers] },
    permissions: ['admin_api.customers.write', 'admin_api.products.write', 'file_download'],
  });
  const { task_id: lead } = await api.ai_tasks.create({
    ...{ name: 'Lead', description: '', source_code: LEAD, parameters: [mark, ...numbers.slice(0, 2)] },
    ...{ permissions: ['tasks_start'], may_start: [steps] },
  });
  const { task_id: onOrder } = await api.ai_tasks.create({
    ...{ name: 'Told of an order', description: '', parameters: [] },
    source_code: `await admin_api.post('/customers/${told}/notes', { body: 'order ' + parameters.event.data.order_id });`,
    permissions: ['admin_api.customers.write'],
  });
  for (const id of [steps, lead, small, onOrder]) await api.ai_tasks.update(id, { settings });
  await api.ai_tasks.create_trigger(onOrder, { event: 'order.created' });
  return { customers, variants, tasks: { steps, lead, small }, told };
}
