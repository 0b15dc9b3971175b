import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { orderStatuses, paymentProgresses, paymentStatuses } from '../../contract/orders.ts';
import { fold } from '../../contract/values.ts';
import type { Reading } from '../../server/db/queries/keyset.ts';
import { trigramsOf } from '../../server/db/sqlite/buyer-trigrams.ts';
import type { Row } from '../../server/db/tables.ts';
import { keysOf } from '../../server/resources/order-lists/keys.ts';
import { findOrders } from '../../server/resources/order-lists/query-plan.ts';
import { anything, isInOrder, type OrderFilter, type QueryPlan } from '../../server/resources/order-lists/rules.ts';
import { countOrders, selectOrderKeys } from '../../server/resources/order-lists/store.ts';
import { BY_CREATION } from '../../server/verbs/list-pages.ts';
import { onBothStores } from '../helpers/app.ts';
import { containsText, insertRandomOrders, progressOf, searches } from '../helpers/random-orders.ts';
import { chooseSeed, type Random, seeded } from '../helpers/seeded.ts';

const seed = chooseSeed();
const indexes = [
  'orders_by_created',
  'orders_by_status',
  'orders_by_payment_status',
  'orders_by_total',
  'orders_by_customer_name',
  'orders_by_status_name',
  'orders_by_delivery_date',
  'orders_by_customer',
  'orders_by_internal_status',
  'orders_by_payment_progress',
  'orders_by_buyer',
  'orders_by_updated',
];

onBothStores(`ways to a page of orders, seed ${seed}`, (app) => {
  let rows: Row<'orders'>[] = [];
  before(async () => {
    rows = await insertRandomOrders(app().store, seeded(seed), 120);
  });

  const idsOf = (column: 'customer_id' | 'internal_status_id') => [...new Set(rows.map((row) => row[column]))].filter((id) => id !== null);
  const noPart = {
    needs: null,
    customerId: null,
    internalStatus: null,
    paymentProgress: null,
    number: null,
    deliveryFrom: null,
    deliveryTo: null,
  };
  const idOf = (row: Row<'orders'> | undefined) => row?.id ?? 0;
  const needs = [
    null,
    null,
    { of: 'sending' },
    { of: 'attention', today: '2026-02-28', paidBefore: '2026-02-02T05:29:59.000Z' },
  ] as const satisfies OrderFilter['needs'][];
  const somePart = (random: Random): Pick<OrderFilter, keyof typeof noPart> => ({
    needs: random.pick(needs),
    customerId: random.pick([null, null, ...idsOf('customer_id')]),
    internalStatus: random.pick([null, null, 'none', ...idsOf('internal_status_id')]),
    paymentProgress: random.pick([null, null, ...paymentProgresses]),
    number: random.pick([null, null, null, { prefix: 'STOREDORDER1', id: idOf(rows[20]) }]),
    deliveryFrom: random.pick([null, null, '2026-02-10', '2026-02-11']),
    deliveryTo: random.pick([null, null, '2026-02-28', '2026-02-09']),
  });

  test('G20, G21: count and page are the same with every index and every way of searching', async () => {
    const random = seeded(seed + 1);
    const maybe = <T, E>(value: T, otherwise: E): T | E => (random.below(2) === 0 ? value : otherwise);
    for (const search of ['', ...searches]) {
      const filter: OrderFilter = {
        tests: random.pick([[0], [1], [0, 1]] as const),
        search: fold(search),
        sought: [],
        among: null,
        besides: [],
        status: maybe(random.pick(orderStatuses), undefined),
        paymentStatus: maybe(random.pick(paymentStatuses), undefined),
        liveOnly: random.below(3) === 0,
        undated: random.below(3) === 0,
        createdFrom: maybe('2026-02-01T00:00:00.000Z', null),
        createdBefore: maybe('2026-02-02T05:29:59.000Z', null),
        updatedSince: random.pick([null, null, '2026-02-02T00:00:00.000Z']),
        totalMin: maybe(1000, null),
        totalMax: maybe(1000, null),
        ...somePart(random),
      };
      const fitting = rows.filter((row) => fits(row, filter, search));
      const column = random.pick([
        { name: 'total', type: 'integer' },
        { name: 'customer_name_folded', type: 'text' },
      ] as const);
      const descending = random.below(2) === 1;
      const reading: Reading = { sort: '', column, descending, page: 1, perPage: 5, after: null };
      const itsIndexes = filter.needs === null ? indexes : [...indexes, 'orders_to_send'];
      const plans = [...itsIndexes, null].flatMap((index): QueryPlan[] => [{ index, search: 'each' }]);
      if (search !== '') plans.push({ index: 'orders_by_buyer', search: 'few' }, { index: 'orders_by_buyer', search: 'many' });
      const pages = new Set<string>();
      for (const plan of plans) {
        await app().store.heavySnapshot(async (db) => {
          const at = { db, dialect: app().store.dialect };
          const told = JSON.stringify({ seed, filter, plan });
          assert.equal(await countOrders(at, filter, plan), fitting.length, told);
          for (const fromEnd of [false, true]) {
            const window = { plan, offset: fromEnd ? Math.max(0, fitting.length - 6) : 0, limit: Math.min(6, fitting.length), fromEnd };
            pages.add(JSON.stringify(await selectOrderKeys(at, filter, reading, window)));
          }
        });
      }
      assert.equal(pages.size, 1, JSON.stringify({ seed, filter, pages: [...pages] }));
    }
  });

  test('R9: a page is the same whether an index walk finds it, the walk is given up, or all orders are read and sorted', async () => {
    const random = seeded(seed + 2);
    for (let i = 0; i < 80; i++) {
      const search = random.below(2) === 0 ? '' : random.pick(searches);
      const filter: OrderFilter = {
        tests: random.pick([[0], [1], [0, 1]] as const),
        search: fold(search),
        sought: [],
        among: null,
        besides: [],
        status: random.below(3) === 0 ? random.pick(orderStatuses) : undefined,
        paymentStatus: undefined,
        liveOnly: false,
        undated: random.below(4) === 0,
        createdFrom: search !== '' && random.below(2) === 0 ? '2026-02-01T00:00:00.000Z' : null,
        createdBefore: search !== '' && random.below(2) === 0 ? '2026-02-04T00:00:00.000Z' : null,
        updatedSince: random.below(3) === 0 ? '2026-02-01T10:30:00.000Z' : null,
        totalMin: search !== '' && random.below(2) === 0 ? 999 : null,
        totalMax: search !== '' && random.below(2) === 0 ? 1001 : null,
        ...(random.below(2) === 0 ? somePart(random) : noPart),
      };
      const key = random.pick(['created_at', 'updated_at', 'total', 'status', 'customer_name'] as const);
      const name = key === 'customer_name' ? 'customer_name_folded' : key;
      const column = { name, type: key === 'total' ? 'integer' : 'text' } as const;
      const page = 1 + random.below(12);
      const reading: Reading = { sort: key, column, descending: random.below(2) === 1, page, perPage: 4, after: null };
      const sign = reading.descending ? -1 : 1;
      const expected = rows
        .filter((row) => fits(row, filter, search))
        .toSorted((a, b) => sign * (a[name] === b[name] ? a.id - b.id : compare(a[name], b[name])))
        .slice((page - 1) * 4, page * 4 + 1);
      await app().store.heavySnapshot(async (db) => {
        const ctx = { db, dialect: app().store.dialect };
        const told = JSON.stringify({ seed, i, filter, reading });
        const found = await findOrders(ctx, filter);
        assert.equal(found.total, rows.filter((row) => fits(row, filter, search)).length, told);
        // With this choice a walk is always tried, and soon given up.
        const plan: QueryPlan =
          search === '' ? { index: 'orders_by_delivery_date', search: 'each' } : { index: 'orders_by_buyer', search: 'many' };
        assert.ok(!isInOrder(plan.index, key));
        for (const one of [found.plan, plan]) {
          const keys = await keysOf(ctx, filter, reading, { ...found, plan: one }, { few: 0, most: random.below(20) });
          assert.deepEqual(
            keys.map(({ id }) => id),
            expected.map(({ id }) => id),
            told,
          );
        }
      });
    }
  });

  test('orders that need something are the same alone as with a condition that all orders meet', async () => {
    await app().store.heavySnapshot(async (db) => {
      const ctx = { db, dialect: app().store.dialect };
      for (const need of needs) {
        for (const tests of [[0], [1], [0, 1]] as const) {
          const filter: OrderFilter = { ...anything, tests, needs: need };
          const expected = rows.filter((row) => fits(row, filter, '')).length;
          for (const one of [filter, { ...filter, totalMin: 0 }]) {
            assert.equal((await findOrders(ctx, one)).total, expected, JSON.stringify({ seed, one }));
          }
        }
      }
    });
  });

  test('a page that is followed by cursor is not cut where fewer orders were counted just before', async () => {
    const filter: OrderFilter = { ...anything, tests: [0, 1], status: 'pending' };
    const reading: Reading = { sort: 'created_at', column: BY_CREATION, descending: false, page: 1, perPage: 4, after: null };
    await app().store.heavySnapshot(async (db) => {
      const ctx = { db, dialect: app().store.dialect };
      const { plan } = await findOrders(ctx, filter);
      for (const after of [null, { value: '', id: 0 }]) {
        assert.equal((await keysOf(ctx, filter, { ...reading, after }, { total: 3, plan })).length, 5);
      }
    });
  });
});

test('G21: a search uses trigrams of whole characters, not of surrogate halves; two characters have no trigram', () => {
  assert.deepEqual(trigramsOf('EXAMPLE'), ['EXA', 'MPL', 'PLE']);
  assert.deepEqual(trigramsOf('😀A😀'), ['😀A😀']);
  assert.deepEqual(trigramsOf('AB'), []);
  assert.deepEqual(trigramsOf('AAAAAA'), ['AAA']);
  assert.equal(trigramsOf('ABCDEFGHIJ'.repeat(20)).length, 8);
});

function fits(row: Row<'orders'>, filter: OrderFilter, search: string): boolean {
  return (
    filter.tests.some((one) => one === row.is_test) &&
    (filter.updatedSince === null || row.updated_at >= filter.updatedSince) &&
    (search === '' || containsText(row, search)) &&
    (filter.status === undefined || row.status === filter.status) &&
    (filter.paymentStatus === undefined || row.payment_status === filter.paymentStatus) &&
    (filter.needs === null ||
      (['pending', 'processing'].includes(row.status) && (filter.needs.of === 'sending' || needsAttention(row, filter.needs)))) &&
    (!filter.liveOnly || (row.status !== 'cancelled' && row.payment_status !== 'refunded')) &&
    (!filter.undated || row.delivery_date === null) &&
    (filter.createdFrom === null || row.created_at >= filter.createdFrom) &&
    (filter.createdBefore === null || row.created_at < filter.createdBefore) &&
    (filter.totalMin === null || row.total >= filter.totalMin) &&
    (filter.totalMax === null || row.total <= filter.totalMax) &&
    (filter.customerId === null || row.customer_id === filter.customerId) &&
    (filter.internalStatus === null || row.internal_status_id === (filter.internalStatus === 'none' ? null : filter.internalStatus)) &&
    (filter.paymentProgress === null || progressOf(row) === filter.paymentProgress) &&
    (filter.number === null || row.id === filter.number.id || row.public_id.startsWith(filter.number.prefix ?? ' ')) &&
    (filter.deliveryFrom === null || (row.delivery_date !== null && row.delivery_date >= filter.deliveryFrom)) &&
    (filter.deliveryTo === null || (row.delivery_date !== null && row.delivery_date <= filter.deliveryTo))
  );
}

function needsAttention(row: Row<'orders'>, { today, paidBefore }: { today: string; paidBefore: string }): boolean {
  const isPaid = row.payment_status === 'paid' && (row.first_paid_at ?? row.created_at) < paidBefore;
  return isPaid || (row.delivery_date !== null && row.delivery_date < today);
}

/** Compares as the stores do: numbers by value, text by code points. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
