import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { fold } from '../../contract/values.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { portionAfter, writePlainTexts, writePortion } from '../../server/db/plain-texts.ts';
import { readProgress, writeProgress } from '../../server/db/progress.ts';
import { selectIdsOfBuyer } from '../../server/resources/orders/store.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { applyUpTo, releases } from './old-stores.ts';

/** Stores whose orders and customers were written before searches left marks away. */

after(stopPostgres);

const AT = '2026-03-01T12:00:00.000Z';
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
    assert.notEqual(await readProgress(store.reader, 'plain-texts'), null, 'a server that stops leaves the rest to the next one');
    while (await writePortion(store, 2))
      for (const search of ['lelièvre', 'ERDŐS', 'łódź', 'plain']) assert.deepEqual(await found(search), [1, 1]);
    assert.equal(await readProgress(store.reader, 'plain-texts'), null);
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

for (const engine of engines) {
  test(`the migration folds the small tables, and begins the rest only where there is some [${engine}]`, async () => {
    const seen: unknown[] = [];
    for (const hasCustomer of [false, true]) {
      const database = await createDatabase(engine, { empty: true });
      const store = openStore({ url: database.url, poolSize: 2 });
      await applyUpTo(store, '0079-email-keys');
      await store.write(async (db) => {
        await sql`INSERT INTO access_groups (slug, name, name_folded, created_at, updated_at) VALUES ('x', 'Łódź', 'ŁÓDŹ', ${AT}, ${AT})`.execute(
          db,
        );
        await sql`INSERT INTO inquiries (name, email, subject, body, search_folded, created_at)
          VALUES ('Zoë', 'z@example.com', 'x', '', 'ZOË Z@EXAMPLE.COM X', ${AT})`.execute(db);
        if (hasCustomer)
          await sql`INSERT INTO customers (name, name_folded, email, email_folded, registered, is_b2b, register_ip, last_login_ip, created_at, updated_at)
            VALUES ('Zoë', 'ZOË', '', '', 0, 0, '', '', ${AT}, ${AT})`.execute(db);
      });
      await migrate(store);
      const { rows } = await sql<{ text: string }>`
        SELECT name_folded AS text FROM access_groups UNION ALL SELECT search_folded FROM inquiries`.execute(store.reader);
      seen.push([await readProgress(store.reader, 'plain-texts'), ...rows.map(({ text }) => text.split('\u0001'))]);
      await store.close();
      await database.drop();
    }
    const texts = [
      ['LODZ', 'ŁÓDŹ'],
      ['ZOE\nZ@EXAMPLE.COM\nX', 'ZOË\nZ@EXAMPLE.COM\nX'],
    ];
    assert.deepEqual(seen, [
      [null, ...texts],
      [{ at: 'subscriptions', after: 0 }, ...texts],
    ]);
    assert.ok(releases.includes('0080-plain-texts'));
  });
}
