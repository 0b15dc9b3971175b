import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { orderNeeds, type orderSorts, orderStatuses, paymentProgresses, paymentStatuses } from '../../contract/orders.ts';
import type { Row } from '../../server/db/tables.ts';
import { onBothStores } from '../helpers/app.ts';
import { containsText, insertRandomOrders, progressOf, searches } from '../helpers/random-orders.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';

type Sort = (typeof orderSorts)[number];
type Query = {
  search?: string;
  status?: (typeof orderStatuses)[number];
  payment_status?: (typeof paymentStatuses)[number];
  total_min?: string;
  total_max?: string;
  created_from?: string;
  created_to?: string;
  needs?: (typeof orderNeeds)[number];
  live_only?: boolean;
  include_test?: boolean;
  test_only?: boolean;
  customer_id?: number;
  internal_status_id?: number | 'none';
  delivery_from?: string;
  delivery_to?: string;
  no_delivery_date?: boolean;
  payment_progress?: (typeof paymentProgresses)[number];
  number?: string;
  updated_since?: string;
  sort?: Sort;
};

const seed = chooseSeed();

onBothStores(`order lists compared with a simple filter in JavaScript, seed ${seed}`, (app) => {
  const random = seeded(seed);
  let rows: Row<'orders'>[] = [];
  before(async () => {
    rows = await insertRandomOrders(app().store, random, 150);
  });

  const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04'];
  const maybe = <T>(share: number, value: () => T): T | undefined => (random.next() < share ? value() : undefined);
  const datesOf = () =>
    random.next() < 0.2
      ? { no_delivery_date: true }
      : {
          delivery_from: maybe(0.2, () => random.pick(['2026-02-10', '2026-02-11', '2026-04-01'])),
          delivery_to: maybe(0.2, () => random.pick(['2026-02-28', '2026-02-10', '2026-01-01'])),
        };
  const anyQuery = (): Query =>
    JSON.parse(
      JSON.stringify({
        search: maybe(0.5, () => random.pick(searches)),
        status: maybe(0.3, () => random.pick(orderStatuses)),
        payment_status: maybe(0.3, () => random.pick(paymentStatuses)),
        total_min: maybe(0.3, () => random.pick(['0', '9.99', '10.001', '60'])),
        total_max: maybe(0.3, () => random.pick(['10', '9.999', '50'])),
        created_from: maybe(0.3, () => random.pick(days)),
        created_to: maybe(0.3, () => random.pick(days)),
        needs: maybe(0.3, () => random.pick(orderNeeds)),
        live_only: maybe(0.2, () => true),
        include_test: maybe(0.3, () => true),
        test_only: maybe(0.1, () => true),
        customer_id: maybe(0.2, () => random.pick(rows).customer_id ?? 999_999),
        internal_status_id: maybe(0.3, () => random.pick(rows).internal_status_id ?? 'none'),
        payment_progress: maybe(0.3, () => random.pick(paymentProgresses)),
        number: maybe(0.1, () => random.pick(['storedOrder1', 'STO', String(random.pick(rows).id), 'STO%', '999999999999999999'])),
        updated_since: maybe(0.2, () => random.pick(rows).updated_at),
        ...datesOf(),
        sort: maybe(0.8, () => random.pick(['', '-']) + random.pick(['customer_name', 'total', 'status', 'created_at', 'updated_at'])),
      }),
    );

  for (const timezone of ['UTC', 'Asia/Kolkata']) {
    test(`R9, PG1, O1-O6: pages, totals and cursors of random queries are right (${timezone})`, async () => {
      await app().client.settings.update({ timezone });
      const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone });
      for (let i = 0; i < 40; i++) {
        const query = anyQuery();
        const expected = expectedOf(rows, query, (row) => dayOf.format(new Date(row.created_at)));
        const per_page = random.pick([1, 7, 20, 100]);
        const pages = Math.ceil(expected.length / per_page);
        const page = 1 + random.below(pages + 2);
        const found = await app().client.orders.list({ ...query, page, per_page });
        const told = JSON.stringify({ seed, query, page, per_page });
        assert.deepEqual([found.total, found.total_pages], [expected.length, pages], told);
        assert.deepEqual(
          found.data.map(({ id }) => id),
          expected.slice((page - 1) * per_page, page * per_page),
          told,
        );
        assert.equal(found.next_cursor === null, page >= pages, told);
        if (i % 4 === 0) assert.deepEqual(await app().client.orders.list_ids(query), { ids: expected, total: expected.length }, told);
        if (found.next_cursor === null) continue;
        const next = await app().client.orders.list({ ...query, cursor: found.next_cursor, per_page });
        assert.deepEqual(
          next.data.map(({ id }) => id),
          expected.slice(page * per_page, (page + 1) * per_page),
          told,
        );
        assert.deepEqual([next.page, next.next_cursor === null], [page + 1, page + 1 >= pages], told);
      }
    });
  }
});

function expectedOf(rows: readonly Row<'orders'>[], query: Query, dayOf: (row: Row<'orders'>) => string): number[] {
  const cents = (text: string, round: (n: number) => number) => round(Number((Number(text) * 100).toFixed(6)));
  const fitting = rows.filter(
    (row) =>
      (query.test_only ? row.is_test === 1 : query.include_test || row.is_test === 0) &&
      (query.search === undefined || containsText(row, query.search)) &&
      (query.status === undefined || row.status === query.status) &&
      (query.needs === undefined || row.status === 'pending' || row.status === 'processing') &&
      (query.needs !== 'attention' || isLate(row)) &&
      (!query.live_only || (row.status !== 'cancelled' && row.payment_status !== 'refunded')) &&
      (query.payment_status === undefined || row.payment_status === query.payment_status) &&
      (query.total_min === undefined || row.total >= cents(query.total_min, Math.ceil)) &&
      (query.total_max === undefined || row.total <= cents(query.total_max, Math.floor)) &&
      (query.created_from === undefined || dayOf(row) >= query.created_from) &&
      (query.created_to === undefined || dayOf(row) <= query.created_to) &&
      (query.customer_id === undefined || row.customer_id === query.customer_id) &&
      (query.internal_status_id === undefined || (row.internal_status_id ?? 'none') === query.internal_status_id) &&
      (!query.no_delivery_date || row.delivery_date === null) &&
      (query.payment_progress === undefined || progressOf(row) === query.payment_progress) &&
      (query.updated_since === undefined || row.updated_at >= query.updated_since) &&
      (query.number === undefined || hasNumber(row, query.number)) &&
      (query.delivery_from === undefined || (row.delivery_date ?? '') >= query.delivery_from) &&
      (query.delivery_to === undefined || (row.delivery_date ?? ':') <= query.delivery_to),
  );
  const sort = query.sort ?? '-created_at';
  const key = sort.replace('-', '');
  const sortedBy = (row: Row<'orders'>): string | number =>
    key === 'total'
      ? row.total
      : key === 'updated_at'
        ? row.updated_at
        : key === 'status'
          ? row.status
          : key === 'customer_name'
            ? row.customer_name_folded
            : row.created_at;
  const sign = sort.startsWith('-') ? -1 : 1;
  return fitting.toSorted((a, b) => sign * (compare(sortedBy(a), sortedBy(b)) || a.id - b.id)).map(({ id }) => id);
}

/** All random orders are of long ago. */
const isLate = (row: Row<'orders'>): boolean => row.payment_status === 'paid' || row.delivery_date !== null;

function hasNumber({ id, public_id }: Row<'orders'>, number: string): boolean {
  return String(id) === number || (number.length >= 3 && public_id.startsWith(number.toUpperCase()));
}

/** Compares as both stores do: numbers by value, text by its UTF-8 bytes. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
