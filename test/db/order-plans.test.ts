import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Dialect } from '../../server/db/dialect.ts';
import { migrate } from '../../server/db/migrate.ts';
import { type Db, openStore, type Store } from '../../server/db/open.ts';
import type { Reading } from '../../server/db/queries/keyset.ts';
import { lookForBuyers } from '../../server/db/queries/order-buyers.ts';
import { anything, conditionsOnSort, type OrderFilter, type QueryPlan } from '../../server/resources/order-lists/rules.ts';
import * as store from '../../server/resources/order-lists/store.ts';
import { asText } from '../../server/values/words.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** How SQLite executes the statements of order lists. The plans show that they are fast with a million orders; nothing is measured. */

const everything: OrderFilter = { ...anything, tests: [0] };
const all: OrderFilter = {
  ...everything,
  status: 'shipped',
  paymentStatus: 'paid',
  createdFrom: '2026-01-01T00:00:00.000Z',
  createdBefore: '2026-02-01T00:00:00.000Z',
  totalMin: 1,
  totalMax: 2,
};
const each = (index: string): QueryPlan => ({ index, search: 'each' });

let database: TestDatabase;
let watch: ReturnType<typeof watchStatements>;
let plans: Plans;
before(async () => {
  database = await createDatabase('sqlite');
  await using(async (shop) => void (await migrate(shop)));
  watch = watchStatements(database.url);
  plans = openPlans(database.url);
});
after(async () => {
  watch.stop();
  plans.close();
  await database.drop();
});

async function using(work: (shop: Store) => Promise<void>): Promise<void> {
  const shop = openStore({ url: database.url });
  await work(shop).finally(() => shop.close());
}

/** The plans of the statements that `work` prepares, on a connection that has prepared none before. */
async function plansOf(work: (at: { db: Db; dialect: Dialect }) => Promise<unknown>): Promise<string[][]> {
  watch.seen.length = 0;
  await using(async ({ reader, dialect }) => void (await work({ db: reader, dialect })));
  return watch.seen.filter((text) => text.includes('FROM')).map(plans.planOf);
}

const readingOf = (name: string, descending: boolean): Reading => ({
  sort: name,
  column: { name, type: name === 'total' ? 'integer' : 'text' },
  descending,
  page: 1,
  perPage: 20,
  after: null,
});

const walks: [sort: string, index: string, given: string[]][] = [
  ['created_at', 'orders_by_created', ['is_test=?', 'created_at>? AND created_at<?']],
  ['created_at', 'orders_by_status', ['is_test=? AND status=?', 'created_at>? AND created_at<?']],
  ['created_at', 'orders_by_payment_status', ['is_test=? AND payment_status=?', 'created_at>? AND created_at<?']],
  ['total', 'orders_by_total', ['is_test=?', 'total>? AND total<?']],
  ['customer_name_folded', 'orders_by_customer_name', ['is_test=?']],
  ['status', 'orders_by_status_name', ['is_test=? AND status=?']],
];
for (const [sort, index, given] of walks) {
  test(`a walk in the order of ${sort} reads only ${index}, whatever the filters are`, async () => {
    for (const descending of [true, false]) {
      for (const tests of [[0], [1], [0, 1]] as const) {
        const filter = { ...all, tests };
        const window = { plan: each(index), offset: 40, limit: 21, fromEnd: false };
        const [plan = []] = await plansOf((at) => store.selectOrderKeys(at, filter, readingOf(sort, descending), window));
        const steps = plan.filter((step) => step.includes('orders'));
        assert.deepEqual(
          steps,
          tests.map(() => `SEARCH orders USING COVERING INDEX ${index} (${given.join(' AND ')})`),
        );
        assert.ok(!plan.some((step) => step.includes('TEMP B-TREE')), plan.join('\n'));
      }
    }
  });
}

test('lists of some orders (by status or date) read their own index, and are counted from a few rows', async () => {
  const parts = {
    ...all,
    customerId: 7,
    internalStatus: 5,
    paymentProgress: 'partial' as const,
    deliveryFrom: '2026-01-01',
    deliveryTo: '2026-01-31',
  };
  const window = { offset: 40, limit: 21, fromEnd: false };
  const noCustomer = { ...parts, customerId: null };
  const noneInternal = { ...noCustomer, internalStatus: 'none' as const };
  for (const [filter, index, given] of [
    [parts, 'orders_by_customer', 'customer_id=? AND is_test=? AND created_at>? AND created_at<?'],
    [noCustomer, 'orders_by_internal_status', 'internal_status_id=? AND is_test=? AND created_at>? AND created_at<?'],
    [noneInternal, 'orders_by_internal_status', 'internal_status_id=? AND is_test=? AND created_at>? AND created_at<?'],
    [noCustomer, 'orders_by_payment_progress', 'is_test=? AND <expr>=? AND created_at>? AND created_at<?'],
    [noCustomer, 'orders_by_delivery_date', 'is_test=? AND delivery_date>? AND delivery_date<?'],
  ] as const) {
    const [page = []] = await plansOf((at) =>
      store.selectOrderKeys(at, filter, readingOf('created_at', true), { ...window, plan: each(index) }),
    );
    const [count] = await plansOf((at) => store.countOrders(at, filter, each(index)));
    assert.deepEqual([page[0], count], [`SEARCH orders USING COVERING INDEX ${index} (${given})`, page.slice(0, 1)]);
    assert.equal(
      page.some((step) => step.includes('TEMP B-TREE')),
      index === 'orders_by_delivery_date',
    );
  }
  const [counted] = await plansOf((at) => store.countPart(at.db, all, { from: 'D2026-01-01', to: 'D2026-01-31' }));
  assert.deepEqual(counted, ['SEARCH order_part_counts USING PRIMARY KEY (part>? AND part<?)']);
});

test('orders that need sending or attention are a page of their own index, and are counted by it or from kept counts', async () => {
  const times = { today: '2026-02-01', paidBefore: '2026-01-31T00:00:00.000Z' };
  const index = 'orders_to_send';
  for (const needs of [{ of: 'sending' }, { of: 'attention', ...times }] as const) {
    for (const tests of [[0], [1], [0, 1]] as const) {
      const filter: OrderFilter = { ...anything, tests, needs };
      const window = { plan: each(index), offset: 0, limit: 51, fromEnd: false };
      const [page = []] = await plansOf((at) => store.selectOrderKeys(at, filter, readingOf('created_at', true), window));
      assert.deepEqual(
        page.filter((step) => step.includes('orders')),
        tests.map(() => `SEARCH orders USING COVERING INDEX ${index} (is_test=?)`),
      );
      assert.ok(!page.some((step) => step.includes('TEMP B-TREE')), page.join('\n'));
      const [count] = await plansOf((at) => store.countOrders(at, filter, each(index)));
      assert.deepEqual(count, [`SEARCH orders USING COVERING INDEX ${index} (is_test=?)`]);
    }
  }
  const [late = []] = await plansOf((at) => store.countAttention(at, times));
  assert.deepEqual(
    late.filter((step) => step.includes('orders')),
    ['SEARCH orders USING COVERING INDEX orders_unsent (<expr><?)', 'SEARCH orders USING COVERING INDEX orders_late (delivery_date<?)'],
  );
});

test('an order is found by its number through the index on the public id and by its id', async () => {
  for (const tests of [[0], [0, 1]] as const) {
    const filter = { ...all, tests, number: { prefix: 'ABC', id: 123 } };
    const plan = { index: null, search: 'each' } as const;
    const [count = []] = await plansOf((at) => store.countOrders(at, filter, plan));
    const window = { plan, offset: 0, limit: 21, fromEnd: false };
    const [page = []] = await plansOf((at) => store.selectOrderKeys(at, filter, readingOf('created_at', true), window));
    for (const plan of [count, page]) {
      assert.deepEqual(
        [...new Set(plan.filter((step) => /^(SEARCH|SCAN)/.test(step)))].sort(),
        [
          'SEARCH orders USING COVERING INDEX sqlite_autoindex_orders_1 (public_id>? AND public_id<?)',
          'SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)',
        ],
        plan.join('\n'),
      );
    }
  }
});

test('after a cursor the walk begins at its position', async () => {
  const reading = { ...readingOf('created_at', true), after: { value: '2026-01-05T00:00:00.000Z', id: 7 } };
  const window = { plan: each('orders_by_created'), offset: 0, limit: 21, fromEnd: false };
  const [plan = []] = await plansOf((at) => store.selectOrderKeys(at, everything, reading, window));
  assert.deepEqual(plan, ['SEARCH orders USING COVERING INDEX orders_by_created (is_test=? AND created_at<?)']);
});

test('a walk with a limit of entries stops when the page is complete, and looks up orders only if a search needs more than the index', async () => {
  for (const [column, index, given] of [
    ['created_at', 'orders_by_created', ' AND created_at>? AND created_at<?'],
    ['total', 'orders_by_total', ' AND total>? AND total<?'],
    ['customer_name_folded', 'orders_by_customer_name', ''],
    ['status', 'orders_by_status_name', ' AND status=?'],
  ] as const) {
    const sort = column === 'customer_name_folded' ? 'customer_name' : column;
    for (const search of ['', 'A']) {
      for (const tests of [[0], [0, 1]] as const) {
        const filter = { ...all, tests, search };
        const walk = { of: conditionsOnSort(filter, sort), most: 1000 };
        const window = { plan: each(index), offset: 0, limit: 21, fromEnd: false, walk };
        const [plan = []] = await plansOf((at) => store.selectOrderKeys(at, filter, readingOf(column, true), window));
        const covers = search === '' || sort === 'customer_name' ? 'COVERING ' : '';
        assert.deepEqual(
          plan.filter((step) => step.startsWith('SEARCH')),
          tests.map(() => `SEARCH orders USING ${covers}INDEX ${index} (is_test=?${given})`),
        );
        assert.ok(!plan.some((step) => step.includes('TEMP B-TREE')), plan.join('\n'));
      }
    }
  }
});

test('counts by state and day are read from a few rows', async () => {
  const [whole] = await plansOf((at) => store.selectStateCounts(at, everything));
  assert.deepEqual(whole, ['SEARCH order_counts USING PRIMARY KEY (day=?)']);
  const span = { ...everything, createdFrom: '2025-11-01T10:00:00.000Z', createdBefore: '2026-02-02T00:00:00.000Z' };
  const [parts = []] = await plansOf((at) => store.selectStateCounts(at, span));
  assert.deepEqual(
    parts.filter((step) => step.startsWith('SEARCH')),
    [
      ...[1, 2, 3].map(() => 'SEARCH order_counts USING PRIMARY KEY (day>? AND day<?)'),
      'SEARCH orders USING COVERING INDEX orders_by_created (is_test=? AND created_at>? AND created_at<?)',
    ],
  );
});

test('counts and the calendar read one index', async () => {
  for (const index of ['orders_by_created', 'orders_by_status', 'orders_by_payment_status', 'orders_by_total']) {
    const [plan = []] = await plansOf((at) => store.countOrders(at, { ...all, tests: [0, 1] }, each(index)));
    assert.match(plan.join(), new RegExp(`^SEARCH orders USING COVERING INDEX ${index} \\(is_test=\\?`));
  }
  const dates = { ...all, createdFrom: null, createdBefore: null, liveOnly: true };
  const index = 'orders_by_delivery_date';
  const [grid] = await plansOf((at) => store.countByDeliveryDate(at, dates, each(index), '2026-01-01', '2026-02-01'));
  assert.deepEqual(grid, [`SEARCH orders USING COVERING INDEX ${index} (is_test=? AND delivery_date>? AND delivery_date<?)`]);
  const [undated] = await plansOf((at) => store.countOrders(at, { ...dates, undated: true }, each(index)));
  assert.deepEqual(undated, [`SEARCH orders USING COVERING INDEX ${index} (is_test=? AND delivery_date=? AND total>? AND total<?)`]);
});

test('a search finds buyers by trigrams, and then their orders', async () => {
  for (const text of ['MURPHY', 'ŁÓDŹ']) {
    const [look] = await plansOf((at) => lookForBuyers(at, [asText(text)]));
    assert.ok(look?.some((step) => /^SCAN \w+ VIRTUAL TABLE INDEX/.test(step)));
    assert.ok(look?.includes('SEARCH order_buyers USING INTEGER PRIMARY KEY (rowid=?)'));
  }
  for (const [search, text] of [
    ['few', 'MURPHY'],
    ['many', 'MURPHY'],
    ['few', 'ŁÓDŹ'],
    ['many', 'ŁÓDŹ'],
  ] as const) {
    const [plan = []] = await plansOf((at) => store.countOrders(at, { ...all, search: text }, { index: 'orders_by_buyer', search }));
    assert.ok(
      plan.some((step) =>
        /^SEARCH orders USING COVERING INDEX orders_by_buyer \(customer_email_folded=\? AND customer_name_folded=\? AND is_test=\?/.test(
          step,
        ),
      ),
      plan.join('\n'),
    );
  }
  const [names] = await plansOf((at) =>
    store.selectOrderKeys(at, { ...all, search: 'MURPHY' }, readingOf('customer_name_folded', false), {
      plan: each('orders_by_customer_name'),
      offset: 0,
      limit: 21,
      fromEnd: false,
    }),
  );
  assert.deepEqual(names, ['SEARCH orders USING COVERING INDEX orders_by_customer_name (is_test=?)']);
});
