import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readSettings } from '../../server/resources/settings/domain.ts';
import { importOnlineRetail } from '../../server/shop-data/online-retail/import.ts';
import { verifyImport } from '../../server/shop-data/online-retail/verify.ts';
import { silent } from '../../server/shop-data/progress.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { dumpOf, emptyShop, sumsOf } from './filled-store.ts';
import { csvFile, DIRTY_ROWS } from './online-retail-csv.ts';

after(stopPostgres);

for (const engine of engines) {
  test(`every kind of row becomes what its rule says (${engine})`, async (t) => {
    const { store } = await emptyShop(t, engine);
    const file = await csvFile(t, DIRTY_ROWS, { packed: true });
    const result = await importOnlineRetail(store, { file, progress: silent, batchRows: 3 });
    assert.ok(result.outcome === 'finished');
    const { report } = result;
    assert.deepEqual(Object.fromEntries(Object.entries(report.classes).map(([name, { rows }]) => [name, rows])), {
      order_line: 9,
      charge_line: 1,
      shipping: 2,
      cancelled: 1,
      returned: 3,
      write_off: 1,
      found: 2,
      adjustment: 4,
      nothing: 1,
      unreadable: 4,
    });
    assert.equal(report.rows, DIRTY_ROWS.length);
    assert.deepEqual(report.oddities, {
      duplicate_row: 1,
      code_spelling: 2,
      no_description: 2,
      note_description: 3,
      blanks: 2,
      free_line: 1,
      fraction_of_a_penny: 2,
      huge_quantity: 3,
      no_country_code: 5,
      guest_order: 1,
      order_without_lines: 1,
      two_times: 1,
      different_refund: 0,
      customer_without_email: 3,
      customer_of_two_countries: 1,
      product_of_many_names: 1,
      product_without_name: 1,
    });
    assert.deepEqual(
      (await verifyImport(store.reader, report)).filter(({ expected, found }) => expected !== found),
      [],
    );
    assert.deepEqual(await sumsOf(store), { wrongOrders: 0, wrongStock: 0, negativeStock: 0 });

    const db = store.reader;
    const orders = new Map((await db.selectFrom('orders').selectAll().execute()).map((order) => [order.internal_notes, order]));
    const of = (invoice: string) => orders.get(`Invoice ${invoice}`);
    assert.deepEqual(
      [...orders.keys()].sort(),
      ['100001', '100002', '100003', '100004', '100009', '100018', '100019'].map((n) => `Invoice ${n}`),
    );
    assert.equal(of('100001')?.total, 3 * 250 * 2 + 725 + 1800);
    assert.equal(of('100001')?.shipping_cost, 1800);
    assert.equal(of('100001')?.shipping_method, 'POSTAGE');
    assert.equal(of('100001')?.shipping_country, 'GB');
    assert.equal(of('100001')?.created_at, '2011-01-10T09:00:00.000Z');
    assert.equal(of('100002')?.customer_id, null);
    assert.equal(of('100002')?.shipping_country, 'European Community');
    assert.equal(of('100002')?.created_at, '2011-07-01T11:30:00.000Z');
    assert.deepEqual([of('100003')?.status, of('100003')?.payment_status], ['delivered', 'paid']);
    assert.deepEqual([of('100004')?.status, of('100004')?.payment_status], ['cancelled', 'refunded']);
    assert.equal(of('100004')?.updated_at, '2011-08-01T09:17:00.000Z');
    assert.equal(of('100009')?.status, 'delivered');
    assert.equal(of('100018')?.total, 2 * 402);
    assert.equal(of('100019')?.total, 1250);
    assert.equal(report.rounding, 2 * 5 - 1);

    const lamp = await db
      .selectFrom('variants')
      .innerJoin('products', 'products.id', 'product_id')
      .select(['sku', 'name', 'price_cents', 'stock'])
      .where('sku', '=', '10001A')
      .execute();
    assert.deepEqual(lamp, [{ sku: '10001A', name: 'BLUE LAMP LARGE', price_cents: 300, stock: 2 }]);
    const spelled = await db
      .selectFrom('order_items')
      .select(['product_sku', 'product_name'])
      .where('order_id', '=', of('100002')?.id ?? 0)
      .orderBy('position')
      .execute();
    assert.deepEqual(spelled, [
      { product_sku: '10001a', product_name: 'BLUE LAMP LARGE' },
      { product_sku: '10002', product_name: 'RED "KITCHEN" CLOCK, ROUND' },
    ]);
    const movements = await db.selectFrom('stock_movements').select('reason').where('reason', 'like', '%:%').orderBy('id').execute();
    assert.deepEqual(movements, [{ reason: 'written off: thrown away' }, { reason: 'found: found' }]);
    const adjustments = await db.selectFrom('log_entries').select('summary').orderBy('id').execute();
    assert.deepEqual(
      adjustments.map(({ summary }) => summary),
      [
        'Adjust bad debt, invoice A100014: -1106.06 GBP',
        'AMAZON FEE, invoice C100015: -134.50 GBP',
        'AMAZON FEE, invoice 100016: 134.50 GBP',
        'Discount, invoice C100017: -20.00 GBP',
      ],
    );
    const countries = await db
      .selectFrom('addresses')
      .innerJoin('customers', 'customers.id', 'customer_id')
      .select(['country', 'is_default'])
      .where('name', '=', 'Customer 90001')
      .orderBy('addresses.id')
      .execute();
    assert.deepEqual(countries, [
      { country: 'GB', is_default: 0 },
      { country: 'FR', is_default: 1 },
    ]);
    const { currency, timezone } = await readSettings(db);
    assert.deepEqual({ currency, timezone }, { currency: 'GBP', timezone: 'Europe/London' });

    const before = await dumpOf(store);
    assert.equal((await importOnlineRetail(store, { file, progress: silent })).outcome, 'already');
    assert.deepEqual(await dumpOf(store), before);
    const other = await csvFile(t, DIRTY_ROWS.slice(1));
    await assert.rejects(importOnlineRetail(store, { file: other, progress: silent }), /another "Online Retail" file is already imported/);
    assert.deepEqual(await dumpOf(store), before);
  });
}

test('a file that is not the expected one is refused in one line, and nothing is written', async (t) => {
  const { store } = await emptyShop(t, 'sqlite');
  const wrong = await csvFile(t, ['1,2'], { header: 'a,b' });
  await assert.rejects(importOnlineRetail(store, { file: wrong, progress: silent }), /the columns InvoiceNo,.* are expected/);
  const quote = await csvFile(t, ['100001,10001A,"BLUE LAMP,3,2011-01-10 09:00:00,2.5,90001,United Kingdom']);
  await assert.rejects(importOnlineRetail(store, { file: quote, progress: silent }), /is not readable as CSV/);
  await assert.rejects(importOnlineRetail(store, { file: `${wrong}.none`, progress: silent }), /cannot be opened/);
  assert.deepEqual(await store.reader.selectFrom('imports').selectAll().execute(), []);
});
