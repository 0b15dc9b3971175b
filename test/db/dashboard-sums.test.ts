import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { migrate } from '../../server/db/migrate.ts';
import type { Store } from '../../server/db/open.ts';
import { mergeOrderCounts, pauseOrderUpkeep } from '../../server/db/order-upkeep.ts';
import type { Row } from '../../server/db/tables.ts';
import { onBothStores } from '../helpers/app.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { storeCustomer, storeOrder, storeVariant } from '../helpers/stored-rows/shop.ts';

const instants = [
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-01T00:14:59.999Z',
  '2026-02-01T00:15:00.000Z',
  '2026-02-01T12:45:00.000Z',
];

onBothStores('the sums of the dashboard', (app) => {
  let variants: Row<'variants'>[] = [];
  let customers: (number | null)[] = [];

  test('after any changes, the stored sums equal those of plain queries', async () => {
    const seed = chooseSeed();
    const random = seeded(seed);
    const { store, client } = app();
    variants = [];
    for (let i = 0; i < 4; i++) variants.push(await storeVariant(store, { price_cents: 100 + i, track_stock: 0 }));
    customers = [null, (await storeCustomer(store)).id, (await storeCustomer(store)).id, (await storeCustomer(store)).id];
    const ids: number[] = [];
    const state = () => ({
      status: random.pick(orderStatuses),
      payment_status: random.pick([...paymentStatuses, 'paid', 'paid'] as const),
      is_test: random.below(4) === 0 ? 1 : 0,
      created_at: random.pick(instants),
      total: random.below(5) * 1000,
      customer_id: random.pick(customers),
    });
    for (let step = 0; step < 120; step++) {
      const id = ids.length > 0 ? random.pick(ids) : 0;
      const act = ids.length < 5 ? 0 : random.below(9);
      if (act <= 1) {
        const lines = Array.from({ length: random.below(4) }, () => ({ variant: random.pick(variants), quantity: 1 + random.below(5) }));
        ids.push((await storeOrder(store, state(), lines)).id);
      } else if (act === 2) {
        await store.write((db) =>
          db
            .updateTable('orders')
            .set(state())
            .where('id', 'in', [id, random.pick(ids)])
            .execute(),
        );
      } else if (act === 3) {
        const { product_id } = random.pick(variants);
        const changes = { product_id, quantity: 1 + random.below(5), subtotal: random.below(500), discount_amount: random.below(50) };
        await store.write((db) => db.updateTable('order_items').set(changes).where('order_id', '=', id).execute());
      } else if (act === 4) {
        await store.write(async (db) => {
          await db.deleteFrom('order_items').where('order_id', '=', id).execute();
          if (random.below(2) === 0) return;
          await db.deleteFrom('orders').where('id', '=', id).execute();
          ids.splice(ids.indexOf(id), 1);
        });
      } else if (act === 5) await client.orders.update_status(id, { status: random.pick(orderStatuses) });
      else if (act === 6) await client.orders.update_test_flag(id, { is_test: random.below(2) === 1 });
      else if (act === 7) await client.orders.bulk_status({ ids: ids.slice(0, 3), status: random.pick(orderStatuses) });
      else await mergeOrderCounts(store);
      if (step % 10 === 9) await assertKept(store, `seed ${seed}, step ${step}`);
    }
    await mergeOrderCounts(store);
    await assertKept(store, `seed ${seed}, merged`);
  });

  test('a failed write does not change the stored sums', async () => {
    const { store } = app();
    const failing = store.write(async (db) => {
      await db.deleteFrom('order_items').execute();
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    await assertKept(store, 'rolled back');
  });

  test('the stored sums are right after many concurrent changes of orders of one product and one customer', async () => {
    const { store, client } = app();
    const [variant, customer_id] = [await storeVariant(store, { track_stock: 0 }), (await storeCustomer(store)).id];
    const ids: number[] = [];
    for (let i = 0; i < 12; i++) {
      ids.push((await storeOrder(store, { customer_id, payment_status: 'paid' }, [{ variant, quantity: 2 }])).id);
    }
    const merging = mergeOrderCounts(store);
    await Promise.all(ids.map((id, i) => client.orders.update_status(id, { status: i % 2 === 0 ? 'cancelled' : 'shipped' })));
    await merging;
    await assertKept(store, 'at once');
  });

  test('a bulk load computes the stored sums at its end; if it does not get there, the next start does', async () => {
    const { store } = app();
    await pauseOrderUpkeep(store);
    const variant = await storeVariant(store);
    const bought = { customer_id: (await storeCustomer(store)).id, payment_status: 'paid' } as const;
    await storeOrder(store, bought, [{ variant, quantity: 3 }]);
    await migrate(store);
    await assertKept(store, 'made again');
    await storeOrder(store, bought, [{ variant, quantity: 1 }]);
    await assertKept(store, 'triggers are back');
  });

  async function assertKept(store: Store, when: string): Promise<void> {
    await store.snapshot(async (db) => {
      const orders = (await db.selectFrom('orders').selectAll().execute()).filter((order) => order.is_test === 0);
      const live = orders.filter(({ status }) => status !== 'cancelled');
      const sold = live.filter(({ payment_status }) => payment_status === 'paid');
      const soldIds = new Set(sold.map(({ id }) => id));
      const items = (await db.selectFrom('order_items').selectAll().execute()).filter(({ order_id }) => soldIds.has(order_id));
      const expected = [
        summed(live, ({ created_at: at, payment_status, total }) => {
          const quarter = `${at.slice(0, 14)}${String(Math.floor(Number(at.slice(14, 16)) / 15) * 15).padStart(2, '0')}`;
          return ['', quarter].map((key) => [key, 1, payment_status === 'paid' ? total : 0]);
        }),
        summed(orders, ({ id, customer_id, total }) =>
          customer_id === null ? [] : [[customer_id, 1, soldIds.has(id) ? 1 : 0, soldIds.has(id) ? total : 0]],
        ),
        summed(items, ({ product_id, quantity, subtotal, discount_amount }) => [[product_id, quantity, subtotal - discount_amount]]),
      ];
      const kept = [
        await sql<object>`SELECT quarter, orders, revenue FROM order_quarters`.execute(db),
        await sql<object>`SELECT customer_id, orders, sales, spent FROM customer_sales`.execute(db),
        await sql<object>`SELECT product_id, quantity, revenue FROM product_sales`.execute(db),
      ].map(({ rows }) =>
        summed(rows, (row) => {
          const [key = '', ...values]: (string | number)[] = Object.values(row);
          return [[key, ...values.map(Number)]];
        }),
      );
      assert.deepEqual(kept, expected, when);
    });
  }

  /** The sums by key, without those that are 0. */
  function summed<T>(rows: readonly T[], of: (row: T) => [string | number, ...number[]][]): [string, number[]][] {
    const sums = new Map<string, number[]>();
    for (const [key, ...values] of rows.flatMap(of)) {
      const known = sums.get(String(key));
      sums.set(
        String(key),
        values.map((value, i) => value + (known?.[i] ?? 0)),
      );
    }
    return [...sums].filter(([, values]) => values.some((value) => value !== 0)).sort(([a], [b]) => (a < b ? -1 : 1));
  }
});
