import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { fold } from '../../contract/values.ts';
import { foldedUpTo, portionAfter, writePlainTexts, writePortion } from '../../server/db/plain-texts.ts';
import { writeProgress } from '../../server/db/progress.ts';
import { selectIdsOfBuyer } from '../../server/resources/orders/store.ts';
import { sortKey } from '../../server/values/texts.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeOrderStatus } from '../helpers/builders.ts';

/** Stores whose orders and customers were written before searches left marks away. */

const people = ['Lelièvre', 'Erdős', 'Łódź', 'Plain'].map((name) => ({ name, email: `${name.toLowerCase()}@bücher.example` }));

/** Makes the rows as they were before. */
async function age({ store }: TestApp): Promise<void> {
  await store.write(async (db) => {
    for (const { name, email } of people) {
      await sql`UPDATE customers SET name_folded = ${fold(name)}, email_folded = ${fold(email)}, phone_digits = NULL
        WHERE name = ${name}`.execute(db);
      await sql`UPDATE orders SET customer_name_folded = ${fold(name)}, customer_email_folded = ${fold(email)}, phone_digits = NULL
        WHERE customer_name = ${name}`.execute(db);
    }
    await writeProgress(db, 'plain-texts', { at: 'subscriptions', after: 0 });
  });
}

onBothStores('texts from before searches left marks away', (app) => {
  test('a search finds what it did until all are folded, in portions, and then without marks', async () => {
    const { client, store, firstRounds } = app();
    await firstRounds;
    for (const { name, email } of people) {
      const customer = await makeCustomer(app(), { name, email });
      await makeOrder(app(), { customer });
    }
    const found = async (search: string) =>
      [await client.orders.list({ search }), await client.customers.list({ search })].map(({ total }) => total);
    const etags = async () =>
      Promise.all(
        (await client.customers.list({})).data.map(
          async ({ id }) => (await app().request({ path: `/admin/api/customers/${id}` })).headers['etag'],
        ),
      );
    const before = await etags();
    await age(app());
    for (const search of ['lelièvre', 'ERDŐS', 'łódź', '@BÜCH', 'plain'])
      assert.deepEqual(await found(search), search === '@BÜCH' ? [4, 4] : [1, 1], search);
    assert.deepEqual(await found('lelievre'), [0, 0]);
    const late = await makeCustomer(app(), { name: 'Lélie', email: 'late@example.com' });
    await makeOrder(app(), { customer: late });
    assert.deepEqual(
      [await found('lelie'), await found('LÉLIE')],
      [
        [1, 1],
        [1, 1],
      ],
      'what is written meanwhile has its present form',
    );

    const work = new AbortController();
    work.abort();
    await writePlainTexts(store, work.signal);
    assert.equal(await foldedUpTo(store.reader, 'orders'), 0, 'a server that stops leaves the rest to the next one');
    while (await writePortion(store, 2))
      for (const search of ['lelièvre', 'ERDŐS', 'łódź', 'plain']) assert.deepEqual(await found(search), [1, 1]);
    assert.equal(await foldedUpTo(store.reader, 'orders'), Number.MAX_SAFE_INTEGER);
    assert.equal(await writePortion(store), false);
    for (const search of ['lelievre', 'Lelièvre', 'erdös', 'lodz', 'plain']) assert.deepEqual(await found(search), [1, 1], search);
    assert.deepEqual(
      [await found('@buch'), await found('lelie')],
      [
        [4, 4],
        [2, 2],
      ],
    );
    assert.deepEqual((await etags()).slice(-before.length), before, 'nothing that is shown has changed');
  });

  test('a store whose columns have an earlier form than this program gives them brings each table up to date', async () => {
    const { store } = app();
    const status = await makeOrderStatus(app(), { name: 'Łódź' });
    await store.write(async (db) => {
      await sql`UPDATE order_statuses SET name_folded = 'ŁÓDŹ' WHERE id = ${status.id}`.execute(db);
      await writeProgress(db, 'plain-texts', { version: 0, at: null, after: 0 });
    });
    assert.deepEqual([await foldedUpTo(store.reader, 'order_statuses'), await foldedUpTo(store.reader, 'orders')], [0, 0]);
    await writePlainTexts(store);
    const { rows } = await sql<{ name_folded: string }>`SELECT name_folded FROM order_statuses WHERE id = ${status.id}`.execute(
      store.reader,
    );
    assert.equal(rows[0]?.name_folded, sortKey('Łódź'));
    assert.equal(await foldedUpTo(store.reader, 'orders'), Number.MAX_SAFE_INTEGER);
  });

  test('orders of an email are found by either form', async () => {
    const customer = await makeCustomer(app(), { name: 'Zoë', email: 'zoë@köln.example' });
    const { id } = await makeOrder(app(), { customer });
    const ids = () => selectIdsOfBuyer(app().store.reader, { customerId: 0, email: 'ZOË@xn--kln-sna.example' });
    assert.deepEqual(await ids(), [id]);
    await app().store.write((db) =>
      sql`UPDATE orders SET customer_email_folded = ${fold('zoë@köln.example')} WHERE id = ${id}`.execute(db),
    );
    assert.deepEqual(await ids(), [id]);
  });
});

test('a portion has as many rows as take some 25 ms, from 10 to 1,000', () => {
  assert.deepEqual(
    [
      portionAfter(100, 25),
      portionAfter(100, 50),
      portionAfter(100, 2),
      portionAfter(1000, 400),
      portionAfter(800, 5),
      portionAfter(12, 900),
    ],
    [100, 50, 200, 250, 1000, 10],
  );
});
