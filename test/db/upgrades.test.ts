import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { checkStore } from '../../server/check-store.ts';
import { migrate, schemaGap } from '../../server/db/migrate.ts';
import { openStore } from '../../server/db/open.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { grantCredits, makeAddress, makeCustomer, makeFile, makeOrder, makeOrderStatus, makeVariant } from '../helpers/builders.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { applyUpTo, insertRows, type Rows, releases, storedRows } from './old-stores.ts';

/** A shop of each released schema, upgraded to the newest: nothing is lost or changed, and what is new fits to it. */

let shop: TestApp;
let rows: Rows;

before(async () => {
  shop = await startApp('sqlite');
  await shop.firstRounds;
  await fill(shop);
  rows = await storedRows(shop.store);
});
after(async () => {
  await shop.close();
  await stopPostgres();
});

async function fill(app: TestApp): Promise<void> {
  const customer = await makeCustomer(app, { name: 'Ärger GmbH' });
  await makeAddress(app, customer.id);
  await app.client.customers.create_note(customer.id, { body: 'calls on Mondays' });
  await grantCredits(app, customer.id, 40);
  const variant = await makeVariant(app, { stock: 9 });
  await makeFile(app);
  const status = await makeOrderStatus(app);
  const { client } = app;
  await makeOrder(app, { customer, payment_status: 'paid', internal_status_id: status.id }, [{ variant, quantity: 2 }]);
  await makeOrder(app, { payment_status: 'refunded', delivery_date: '2026-12-24', is_test: true });
  await makeOrder(app, { status: 'cancelled' });
  const { id: partly } = await makeOrder(app);
  await client.orders.create_payment(partly, { label: 'part', amount_cents: 100, paid: true });
  await client.inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: 's', body: 'b' });
  await client.vouchers.create({ code: 'CHECKED', kind: 'percent', percent_bps: 1000 });
  await client.webhooks.create({ url: 'https://example.com/in', events: ['order.created'] });
  await makeTask(app);
  const run = await claimedRun(app);
  await run.report([1, 2, 3].map((n) => ({ kind: 'log', line: `line ${n}` })));
  await run.report([{ kind: 'finalize', status: 'success', end_reason: 'completed', error_message: null }]);
}

/** Columns that a migration sets anew for its own purpose. */
const RENUMBERED = new Set(['changed_in']);
/** Columns that a migration makes of others. */
const isMadeOfOthers = (column: string): boolean => /_folded$/.test(column) && column !== 'search_folded';

/** On PostgreSQL every sixth release: each takes a second or more. */
const released = (engine: string) => releases.filter((_, n) => engine === 'sqlite' || n % 6 === 0 || n >= releases.length - 2);

for (const engine of engines) {
  test(`a store of each released schema is upgraded with all its rows [${engine}]`, { timeout: 900_000 }, async () => {
    assert.ok(Object.values(rows).flat().length > 60 && (rows['run_events']?.length ?? 0) > 0 && (rows['order_items']?.length ?? 0) > 0);
    // Each release is made of the one before: copied, it takes half the migrations.
    const model = await createDatabase(engine, { empty: true });
    for (const release of released(engine)) {
      const made = openStore({ url: model.url, poolSize: 2 });
      await applyUpTo(made, release);
      await made.close();
      const database = await createDatabase(engine, { copyOf: model });
      const store = openStore({ url: database.url, poolSize: 2 });
      const old = await insertRows(store, rows);
      const applied = await migrate(store);
      assert.deepEqual(applied, releases.slice(releases.indexOf(release) + 1));
      assert.deepEqual(await schemaGap(store), { missing: [], unknown: [] });
      const now = await storedRows(store);
      for (const [table, before] of Object.entries(old)) {
        const left = [...(now[table] ?? [])];
        assert.ok(left.length >= before.length, `${release}: rows of ${table} are missing`);
        for (const [n, row] of before.entries()) {
          const at = left.findIndex((one) =>
            Object.entries(row).every(([name, value]) => RENUMBERED.has(name) || isSame(one[name], value)),
          );
          assert.ok(at !== -1, `${release}: a row of ${table} is not what it was: ${JSON.stringify(row)}`);
          const [upgraded = {}] = left.splice(at, 1);
          const today = rows[table]?.[n] ?? {};
          const wrong = Object.keys(today).filter((name) => !(name in row) && isMadeOfOthers(name) && !isSame(upgraded[name], today[name]));
          assert.deepEqual(wrong, [], `${release}: ${table}`);
        }
      }
      const faults: string[] = [];
      for await (const { name, count, faults: told } of checkStore(store, { filesDir: shop.filesDir, filesS3: null }))
        if (count > 0) faults.push(`${name}: ${told.join(' | ')}`);
      assert.deepEqual(faults, [], release);
      await store.close();
      await database.drop();
    }
    await model.drop();
  });
}

/** Whether the values are equal; JSON may be written in another way. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(meaning(one), meaning(other));
}

function meaning(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
