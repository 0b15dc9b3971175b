import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { migrate } from '../../server/db/migrate.ts';
import type { Store } from '../../server/db/open.ts';
import { mergeBuyers, mergeOrderCounts, pauseOrderUpkeep, resumeOrderUpkeep } from '../../server/db/order-upkeep.ts';
import { makeIndexesAgain, setIndexesAside } from '../../server/db/set-aside.ts';
import { sortKey } from '../../server/values/texts.ts';
import { onBothStores } from '../helpers/app.ts';
import { chooseSeed, seeded } from '../helpers/seeded.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';

const names = ['Anna', 'Bert', 'Walk-in', 'Őrs', '', 'a"b'];
const phones = [null, null, '353201', '999'];
const emails = ['anna@example.com', 'b@example.org', ''];
const days = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-02T12:00:00.000Z'];

onBothStores('what is kept beside the orders', (app, engine) => {
  test('after any changes, the stored counts and buyers match the orders', async () => {
    const seed = chooseSeed();
    const random = seeded(seed);
    const { store, client } = app();
    const ids: number[] = [];
    const internal = [
      null,
      (await client.order_statuses.create({ name: 'Packed' })).id,
      (await client.order_statuses.create({ name: 'Late' })).id,
    ];
    const state = () => ({
      internal_status_id: random.pick(internal),
      status: random.pick(orderStatuses),
      payment_status: random.pick(paymentStatuses),
      is_test: random.below(2),
      delivery_date: random.pick([null, '2026-03-01', '2026-03-02']),
      created_at: random.pick(days),
      total: random.pick([0, 100]),
      paid_amount: random.pick([null, 0, 50, 100, 200]),
    });
    const buyer = () => ({ customer_name: random.pick(names), customer_email: random.pick(emails), phone_digits: random.pick(phones) });
    for (let step = 0; step < 120; step++) {
      const id = ids.length > 0 ? random.pick(ids) : 0;
      const act = ids.length < 5 ? 0 : random.below(8);
      if (act <= 1) ids.push((await storeOrder(store, { ...state(), ...buyer() })).id);
      else if (act === 2) await store.write((db) => db.updateTable('orders').set(state()).where('id', '=', id).execute());
      else if (act === 3) {
        const { customer_name, customer_email, phone_digits } = buyer();
        const folded = {
          customer_name_folded: sortKey(customer_name),
          customer_email_folded: sortKey(customer_email),
          phone_digits,
        };
        await store.write((db) =>
          db
            .updateTable('orders')
            .set(folded)
            .where('id', 'in', [id, ids[0] ?? 0])
            .execute(),
        );
      } else if (act === 4) {
        await store.write((db) => db.deleteFrom('orders').where('id', '=', id).execute());
        ids.splice(ids.indexOf(id), 1);
      } else if (act === 5) await client.orders.update_status(id, { status: random.pick(orderStatuses) });
      else if (act === 6) await client.orders.update_test_flag(id, { is_test: random.below(2) === 1 });
      else if (random.below(3) === 0) await mergeOrderCounts(store);
      else await client.orders.update_internal_status(id, { internal_status_id: random.pick(internal) });
      if (step % 10 === 9) await assertKept(store, `seed ${seed}, step ${step}`);
    }
    await mergeOrderCounts(store);
    await assertKept(store, `seed ${seed}, merged`, 'merged');
    assert.equal(await resumeOrderUpkeep(store), false);
  });

  if (engine === 'postgres') {
    test('orders of one new buyer, merges and a deletion do not wait for one another', async () => {
      const { store } = app();
      const [name, email] = ['Twice', 'twice@example.com'];
      const order = { customer_name: name, customer_email: email };
      const first = await storeOrder(store, order);
      await store.write(async (one) => {
        await one.deleteFrom('orders').where('id', '=', first.id).execute();
        await mergeBuyers({ db: one, dialect: store.dialect });
        await storeOrder(store, order);
        await mergeOrderCounts(store);
        await assertKept(store, 'a deletion is under way');
      });
      await assertKept(store, 'both are committed');
      await mergeOrderCounts(store);
      await assertKept(store, 'merged after that', 'merged');
    });
  }

  test('a refused or failed write does not change the stored counts', async () => {
    const { store } = app();
    await assert.rejects(
      store.write(async (db) => {
        await db.deleteFrom('orders').execute();
        throw new Error('no');
      }),
      /no/,
    );
    await assertKept(store, 'rolled back');
  });

  test('a bulk load computes counts and buyers at its end; if it does not get there, the next start does', async () => {
    const { store } = app();
    await pauseOrderUpkeep(store);
    await pauseOrderUpkeep(store);
    const { id } = await storeOrder(store, { customer_name: 'Bulk' });
    await storeOrder(store, { customer_name: 'Bulk', is_test: 1 });
    await migrate(store);
    await assertKept(store, 'made again');
    assert.equal(await resumeOrderUpkeep(store), false);
    await store.write((db) => db.deleteFrom('orders').where('id', '=', id).execute());
    await storeOrder(store, { customer_name: 'After' });
    await assertKept(store, 'triggers are back');
  });

  test('while a bulk load beside the server has dropped the indexes, SQLite’s lists are refused as busy and PostgreSQL’s still work', async () => {
    const { store } = app();
    const list = () => app().request({ path: '/admin/api/orders' });
    assert.equal((await list()).status, 200);
    await setIndexesAside(store, ['orders']);
    const { status, headers } = await list();
    assert.deepEqual([status, headers['retry-after']], engine === 'sqlite' ? [503, '1'] : [200, undefined]);
    await makeIndexesAgain(store);
    assert.equal((await list()).status, 200);
  });

  async function assertKept(store: Store, when: string, merged?: 'merged'): Promise<void> {
    await store.snapshot(async (db) => {
      const plain = sql`
        SELECT day, is_test, status, payment_status, dated, CAST(count(*) AS bigint) AS n
        FROM (SELECT '' AS day, orders.*, CASE WHEN delivery_date IS NULL THEN 0 ELSE 1 END AS dated FROM orders
          UNION ALL SELECT 'M' || substr(created_at, 1, 7), orders.*, CASE WHEN delivery_date IS NULL THEN 0 ELSE 1 END FROM orders
          UNION ALL SELECT substr(created_at, 1, 10), orders.*, CASE WHEN delivery_date IS NULL THEN 0 ELSE 1 END FROM orders) AS o
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`;
      const kept = sql`
        SELECT day, is_test, status, payment_status, dated, CAST(sum(n) AS bigint) AS n
        FROM order_counts GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5`;
      assert.deepEqual((await kept.execute(db)).rows, (await plain.execute(db)).rows, when);
      const plainParts = sql`
        SELECT part, is_test, status, payment_status, CAST(count(*) AS bigint) AS n
        FROM (SELECT 'I' || coalesce(CAST(internal_status_id AS TEXT), '') AS part, orders.* FROM orders
          UNION ALL SELECT 'D' || delivery_date, orders.* FROM orders WHERE delivery_date IS NOT NULL
          UNION ALL SELECT CASE WHEN paid = total THEN 'Ppaid' WHEN paid > total THEN 'Poverpaid' WHEN paid > 0 THEN 'Ppartial' ELSE 'Punpaid' END,
            orders.* FROM orders JOIN (SELECT id AS paid_id,
              CASE WHEN paid_amount IS NOT NULL THEN paid_amount WHEN payment_status = 'paid' THEN total ELSE 0 END AS paid
              FROM orders) AS amounts ON paid_id = orders.id) AS o
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
      const keptParts = sql`
        SELECT part, is_test, status, payment_status, CAST(sum(n) AS bigint) AS n
        FROM order_part_counts GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4`;
      const byCodePoints = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
      assert.deepEqual(byCodePoints((await keptParts.execute(db)).rows), byCodePoints((await plainParts.execute(db)).rows), when);
      const isMerged = engine === 'sqlite' || merged;
      const buyers = sql`
        SELECT email_folded, name_folded, phone_digits, CAST(sum(orders) AS bigint) AS orders, CAST(sum(tests) AS bigint) AS tests
        FROM order_buyers GROUP BY 1, 2, 3 ${isMerged ? sql`HAVING count(*) = 1` : sql`HAVING sum(orders) <> 0 OR sum(tests) <> 0`}
        ORDER BY 1, 2, 3`;
      const distinct = sql`
        SELECT customer_email_folded AS email_folded, customer_name_folded AS name_folded, coalesce(phone_digits, '') AS phone_digits,
          CAST(sum(1 - is_test) AS bigint) AS orders, CAST(sum(is_test) AS bigint) AS tests
        FROM orders GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
      assert.deepEqual((await buyers.execute(db)).rows, (await distinct.execute(db)).rows, when);
      if (engine === 'postgres') return;
      const found = sql`SELECT rowid FROM order_buyers_trigrams WHERE order_buyers_trigrams MATCH '"ANN"' ORDER BY 1`;
      const anna = sql`SELECT id AS rowid FROM order_buyers WHERE instr(name_folded || char(10) || email_folded, 'ANN') > 0 ORDER BY 1`;
      assert.deepEqual((await found.execute(db)).rows, (await anna.execute(db)).rows, when);
    });
  }
});
