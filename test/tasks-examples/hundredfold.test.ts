import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, LOG_MAX_BYTES, LOG_MAX_LINES } from '../../contract/run-events.ts';
import { defaultLimits } from '../../contract/runner.ts';
import { STATE_VALUE_MAX_BYTES } from '../../contract/task-state-rules.ts';
import { exampleNames, loadExample } from '../../ops/example-tasks.ts';
import { type Asked, pageOf, type Row, runScripted, type ScriptedShop, scriptedOrder } from './scripted-shop.ts';

/**
 * The sample shop a hundredfold. What loops over all gets through it in the real sandbox, within its limits (also those of a dry run),
 * says what it left, and goes on there at its next run. To ask the real server for 2,000 pages takes minutes, so these answers are made here.
 */

const now = '2026-06-30T12:00:00.000Z';
const DAY_MS = 86_400_000;
const MONTHS_MS = 547 * DAY_MS;
const [ORDERS, CUSTOMERS, PRODUCTS] = [200_000, 40_000, 5600];
const timeOf = (n: number, of: number): string => new Date(Date.parse(now) - ((of - n) * MONTHS_MS) / of).toISOString();
const dayOf = (at: unknown): string => String(at).slice(0, 10);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const orders = numbers(ORDERS).map((n) =>
  scriptedOrder({
    id: n + 1,
    public_id: `A${n + 1}`,
    customer_id: 1 + ((n * 7919) % CUSTOMERS),
    customer_email: `${(n * 7919) % CUSTOMERS}@example.com`,
    status: n % 10 === 0 ? 'pending' : n % 10 === 1 ? 'processing' : 'delivered',
    payment_status: n % 20 === 0 ? 'pending' : 'paid',
    created_at: timeOf(n, ORDERS),
  }),
);
const customers = numbers(CUSTOMERS).map((n) => ({
  ...{ id: n + 1, name: `Name ${n % 2000}`, email: `${n}@example.com`, phone: null, created_at: timeOf(n, CUSTOMERS) },
  ...{ registered: true, order_count: 1, marketing_opt_out: false },
}));
const vouchers = numbers(1000).map((n) => ({
  ...{ id: n + 1, code: `V${n}`, valid_to: timeOf(0, 1), used_count: n % 2, active: true },
}));
const subscriptions = numbers(5000).map((n) => ({
  ...{ id: n + 1, status: 'active', customer_name: 'Ann', customer_email: `${n}@example.com`, product_name: 'Coffee' },
  ...{ cancel_at_period_end: n % 4 === 0, current_period_end: new Date(Date.parse(now) + (n % 30) * DAY_MS).toISOString() },
}));
const inquiries = numbers(3000).map((n) => ({ id: n + 1, name: 'Ann', subject: `Question ${n}`, created_at: timeOf(n, 3000) }));
const skuOf = (id: number): string => `sku-${id}`;
const counts = numbers(2 * PRODUCTS).map((n) => [skuOf(n + 1), 77] as const);

type Shop = ScriptedShop & { writes: Asked[]; state: Map<string, unknown> };

/** A shop of these rows, in which the writes of earlier runs have been carried out. */
function openShop(): Shop {
  const writes: Asked[] = [];
  const changed = new Map<string, Row>();
  const notes = new Map<string, Row[]>();
  const stock = new Map(numbers(2 * PRODUCTS).map((n) => [n + 1, Math.floor(n / 2) % 10]));
  const variantOf = (id: number): Row => ({
    ...{ id, sku: skuOf(id), stock: stock.get(id), active: true, track_stock: true, allow_backorder: false },
    ...{ price_cents: 1000, compare_at_price_cents: null, ...changed.get(`/variants/${id}`) },
  });
  const productOf = (id: number): Row => ({
    ...{ id, name: `Product ${id}`, status: 'active', low_stock_threshold: null, ...changed.get(`/products/${id}`) },
    variants: [variantOf(2 * id - 1), variantOf(2 * id)],
  });
  const made = new Map<string, Row[]>();
  const notDeleted = ({ id }: { id: number }): boolean => !changed.has(`/vouchers/${id}`);
  const lists: Record<string, () => readonly Row[]> = {
    '/orders': () => orders.map((order) => changed.get(`/orders/${String(order['id'])}`) ?? order),
    '/customers': () => customers,
    '/products': () => numbers(PRODUCTS).map((n) => productOf(n + 1)),
    '/vouchers': () => [...vouchers.filter(notDeleted), ...(made.get('/vouchers') ?? [])],
    '/subscriptions': () => subscriptions,
    '/inquiries': () => inquiries,
  };
  const found = new Map<string, readonly Row[]>();
  return {
    ...{ now, writes, state: new Map(), answers: { enter: true } },
    answer(pathname, query) {
      const id = Number(/\d+/.exec(pathname)?.[0]);
      if (pathname.endsWith('/stock-movements')) return [{ id: 1, delta: stock.get(id) }];
      if (pathname.endsWith('/notes')) return notes.get(pathname) ?? [];
      if (pathname.endsWith('/transactions')) return { transactions: notes.get(pathname.replace('transactions', 'adjust')) ?? [] };
      if (pathname === '/access-groups') return [{ id: 1, slug: 'vip' }];
      if (pathname === '/access-groups/1/members') return made.get('/access-groups/1/grants') ?? [];
      if (/^\/customers\/\d+$/.test(pathname)) return customers[id - 1];
      if (/^\/orders\/\d+$/.test(pathname)) return changed.get(pathname) ?? orders[id - 1];
      const filters = [...query].filter(([name]) => name !== 'cursor' && name !== 'per_page');
      const key = `${pathname}?${new URLSearchParams(filters).toString()}`;
      const rows = found.get(key) ?? lists[pathname]?.().filter((row) => isAsked(row, query));
      if (rows) found.set(key, rows);
      return rows && pageOf(rows, query);
    },
    refuse(asked) {
      const { path, body } = asked;
      writes.push(asked);
      const order = /^\/orders\/\d+/.exec(path)?.[0];
      if (order !== undefined) changed.set(order, { ...orders[Number(order.slice('/orders/'.length)) - 1], ...body });
      if (/^\/(variants|products|vouchers)\/\d+$/.test(path)) changed.set(path, body ?? {});
      if (/^\/(vouchers|access-groups\/1\/grants)$/.test(path)) made.set(path, [...(made.get(path) ?? []), { ...body, valid_to: null }]);
      if (/^\/variants\/\d+\/stock$/.test(path)) stock.set(Number(path.split('/')[2]), Number(body['stock']));
      if (/\/(notes|adjust)$/.test(path)) notes.set(path, [{ ...body, created_at: now }]);
      if (/^\/(orders|variants|products|vouchers)/.test(path)) found.clear();
      return null;
    },
  };
}

function isAsked(row: Row, query: URLSearchParams): boolean {
  if ((query.get('after') ?? 'start') !== 'start') return false;
  const day = dayOf(row['created_at'] ?? now);
  return (
    ['status', 'payment_status'].every((name) => (query.get(name) ?? row[name]) === row[name]) &&
    (query.get('created_from') ?? day) <= day &&
    day <= (query.get('created_to') ?? day) &&
    Number(query.get('total_min') ?? 0) * 100 <= Number(row['total'] ?? 0) &&
    String(row['code'] ?? '').startsWith(query.get('search') ?? '') &&
    (query.get('internal_status_id') !== 'none' || row['internal_status_id'] === null)
  );
}

/** Runs the example once more in the shop, and returns what the run tells at its end. */
async function run(name: string, shop: Shop, parameters: JsonObject = {}): Promise<{ result: unknown; writes: Asked[] }> {
  shop.writes.length = 0;
  const { limits } = (await loadExample(name)).settings ?? {};
  const { report } = await runScripted(name, shop, parameters);
  assert.equal(report.done.error_message, null, name);
  const { calls, events } = report;
  assert.ok(calls.length <= (limits?.host_calls ?? defaultLimits.host_calls), `${calls.length} calls`);
  assert.ok(shop.writes.length <= (limits?.dry_run_writes ?? defaultLimits.dry_run_writes), `${shop.writes.length} writes`);
  const bytes = [...events, ...calls.map(({ text }) => text.slice(0, 200))].reduce<number>(
    (sum, one) => sum + JSON.stringify(one).length,
    0,
  );
  assert.ok(events.length + calls.length <= LOG_MAX_LINES && bytes <= LOG_MAX_BYTES, `${bytes} bytes of log`);
  for (const value of shop.state.values()) assert.ok(JSON.stringify(value).length <= STATE_VALUE_MAX_BYTES);
  return { result: report.result, writes: shop.writes };
}

/** What an example returns at its first run and, where it leaves something, at its second. */
const cases: [name: string, results: object[], parameters?: JsonObject][] = [
  ['abandoned-cart-mail', [129, 29].map((left) => ({ mailed: 100, left }))],
  ['anniversary-credit', [150, 142].map((granted) => ({ anniversaries: 292, granted }))],
  ['cancel-unpaid-orders', [9773, 9673].map((left) => ({ cancelled: 100, left }))],
  ['check-addresses', [150, 105].map((marked) => ({ marked }))],
  ['clean-up-vouchers', [850, 700].map((left) => ({ left }))],
  ['daily-sales-mail', [1, 0].map((mailed) => ({ mailed })), { to: 'owner@localhost' }],
  ['export-orders', [ORDERS, 0].map((count) => ({ orders: count }))],
  ['find-duplicate-customers', [{ customers: CUSTOMERS, groups: { email: 0, phone: 0, name: 2000 }, involved: CUSTOMERS }]],
  ['first-order-voucher', [1141, 1066].map((left) => ({ mailed: 75, left }))],
  ['fraud-score', [{ scored: 90 }, { scored: 90 }]],
  ['hide-sold-out-products', [410, 260].map((left) => ({ hide: 150, left }))],
  ['hold-risky-orders', [150, 105].map((held) => ({ held })), { amount: 1 }],
  ['import-stock-counts', [11_200, 11_050].map((differ) => ({ differ, entered: 150 }))],
  ['low-stock-alert', [1680, 0].map((posted) => ({ low: 1680, posted }))],
  ['low-stock-report', [{ checked: PRODUCTS, low: 1680, sold_out: 560 }]],
  ['orders-to-sheet', [{ sent: 5000 }, { sent: 5000 }]],
  ['reconcile-stock', [11_050, 10_900].map((left) => ({ variants: 11_200, corrected: 150, left })), { counts: Object.fromEntries(counts) }],
  ['revenue-by-country', [{ orders: 62_697, revenue_cents: 6_269_700 }]],
  ['review-request-mail', [2239, 2139].map((left) => ({ mailed: 100, left }))],
  ['sale-prices', [11_050, 10_900].map((left) => ({ changed: 150, left }))],
  ['subscription-ending-mail', [568, 468].map((left) => ({ mailed: 100, left }))],
  ['tag-large-orders', [2592, 2442].map((left) => ({ tagged: 150, left })), { amount: 1 }],
  ['tag-late-orders', [39_486, 39_336].map((left) => ({ tagged: 150, left }))],
  [
    'unanswered-inquiries',
    [
      { waiting: 2992, notified: 1 },
      { waiting: 0, notified: 0 },
    ],
  ],
  ['vip-customers', [37_850, 37_700].map((left) => ({ granted: 150, left })), { amount: 1 }],
  ['weekly-report', [1, 0].map((mailed) => ({ mailed })), { to: 'owner@localhost' }],
  ['welcome-credit', [398, 248].map((left) => ({ granted: 150, left }))],
  ['welcome-note', [348, 148].map((left) => ({ welcomed: 200, left }))],
  ['win-back-credit', [6711, 6511].map((left) => ({ granted: 200, left }))],
];

for (const [name, results, parameters] of cases) {
  test(`a hundredfold of the sample shop: ${name}`, async () => {
    const shop = openShop();
    shop.upload = Buffer.from(counts.map((cells) => cells.join(';')).join('\n'));
    const touched = new Set<string>();
    for (const expected of results) {
      const { result, writes } = await run(name, shop, parameters);
      assert.partialDeepStrictEqual(result, expected);
      const records = writes.flatMap(({ path }) => (/^\/(orders|customers|variants)/.test(path) ? [path] : []));
      for (const path of records) assert.ok(!touched.has(path), `${path} was written by an earlier run`);
      for (const path of records) touched.add(path);
    }
  });
}

test('a hundredfold of the sample shop: every example that loops over records is here', async () => {
  const others = ['import-shopify-order'];
  assert.deepEqual([...cases.map(([name]) => name), ...others].sort(), [...(await exampleNames())].sort());
});
