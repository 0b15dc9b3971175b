import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '../../server/db/open.ts';
import { storeOrder, storeVariant } from '../helpers/stored-rows/shop.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';

/** Orders from a time when they did not yet store what their sums are made of. */

after(stopPostgres);

/** The last one only adds columns, which the helper that stores a variant fills. */
const older = ['0001-shop', '0002-tasks', '0003-catalogue', '0004-files', '0037-product-search'];

for (const engine of engines) {
  test(`ED8, O10: an older order keeps its voucher's discount, the tax rate of its shipping and its first payment [${engine}]`, async () => {
    const database = await createDatabase(engine, { empty: true });
    const store = openStore({ url: database.url });
    const apply = async (name: string) => {
      const { statements }: { statements: readonly string[] } = await import(`../../server/db/migrations/${name}.ts`);
      await store.write(async (db) => {
        for (const statement of statements) await sql.raw(store.dialect.ddl(statement)).execute(db);
      });
    };
    for (const name of older) await apply(name);
    const variant = await storeVariant(store, { price_cents: 270 });
    const line = { variant, quantity: 1 };
    await storeOrder(
      store,
      { voucher_code: 'TEN', discount_amount: 100, tax_amount: 54 + 135, shipping_cost: 500, payment_status: 'paid' },
      [line],
    );
    await storeOrder(store, {
      discount_amount: 70,
      tax_amount: 105,
      shipping_cost: 495,
      prices_include_tax: 1,
      payment_status: 'pending',
    });
    await storeOrder(store, { tax_amount: 0, shipping_cost: 590, payment_status: 'refunded' });
    await storeOrder(store, { tax_amount: 40, shipping_cost: 0 });
    await apply('0005-order-money');
    const rows = await store.reader
      .selectFrom('orders')
      .select(['voucher_discount', 'manual_discount', 'shipping_tax_rate', 'first_paid_at', 'paid_amount'])
      .orderBy('id')
      .execute();
    await store.close();
    await database.drop();
    const at = '2026-03-01T12:00:00.000Z';
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        [100, null, 2700, at, null],
        [0, null, 2692, null, null],
        [0, null, 0, at, null],
        [0, null, 0, null, null],
      ],
    );
  });
}
