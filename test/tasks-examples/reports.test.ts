import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCustomer } from '../helpers/builders.ts';
import { type FinishedRun, resultsOf } from '../helpers/run-task.ts';
import { storeStock } from '../helpers/stored-rows/faults.ts';
import { inSampleShop, readOrders } from './example-shop.ts';

inSampleShop('sqlite', 2000, (shop) => {
  test('low-stock-report lists exactly the active products at or below their threshold', async () => {
    const { store, runs } = shop();
    const products = await store.reader.selectFrom('products').selectAll().where('status', '=', 'active').execute();
    const variants = await store.reader.selectFrom('variants').selectAll().where('active', '=', 1).where('track_stock', '=', 1).execute();
    const low = products.filter(({ id, low_stock_threshold }) => {
      const own = variants.filter(({ product_id }) => product_id === id);
      return own.length > 0 && own.reduce((sum, { stock }) => sum + stock, 0) <= (low_stock_threshold ?? 30);
    });
    assert.ok(low.length > 0 && low.length < products.length);
    const finished = await runs.run('low-stock-report', { parameters: { threshold: 30 } });
    assertReadOnly(finished);
    assert.deepEqual(pick(finished, 'checked', 'low'), { checked: products.length, low: low.length });
    const named = resultsOf(finished).map((line) => line.replace(/^(sold out|low) /, ''));
    assert.deepEqual(named.sort(), low.map(({ name }) => name).sort());
  });

  test('revenue-by-country adds up to the paid orders of the year', async () => {
    const { store, runs } = shop();
    const paid = (await readOrders(store)).filter(
      ({ status, payment_status, created_at }) => payment_status === 'paid' && status !== 'cancelled' && created_at.startsWith('2025'),
    );
    const sums = new Map<string, number>();
    for (const { shipping_country, total } of paid) sums.set(shipping_country, (sums.get(shipping_country) ?? 0) + total);
    const finished = await runs.run('revenue-by-country', { parameters: { year: 2025 } });
    assertReadOnly(finished);
    const total = paid.reduce((sum, order) => sum + order.total, 0);
    assert.deepEqual(pick(finished, 'orders', 'revenue_cents'), { orders: paid.length, revenue_cents: total });
    assert.deepEqual(new Map(rowsOf(finished, 'countries').map((row) => [row['country'], row['revenue_cents']])), sums);
  });

  test('find-duplicate-customers finds the customers who are the same person', async () => {
    const { app, store, runs } = shop();
    const first = await makeCustomer(app, { name: 'Zoe Quux', email: 'zoe.quux@gmail.com', phone: '+43 660 98 76 543' });
    const second = await makeCustomer(app, { name: 'ZOE  QUUX ', email: 'z.oequux+shop@googlemail.com', phone: '0660/9876543' });
    await makeCustomer(app, { name: 'Someone else', email: 'zoe.quux@example.com', phone: '123' });
    const finished = await runs.run('find-duplicate-customers');
    assertReadOnly(finished);
    const groups = rowsOf(finished, 'first').filter(({ ids }) => JSON.stringify(ids) === JSON.stringify([first.id, second.id]));
    assert.deepEqual(
      groups.map(({ reason, value }) => `${String(reason)} ${String(value)}`),
      ['email zoequux@gmail.com', 'phone 609876543', 'name zoe quux'],
    );
    const customers = await store.reader.selectFrom('customers').select('name').execute();
    const names = Map.groupBy(customers, ({ name }) => name.toLowerCase().trim().replace(/\s+/g, ' '));
    const repeated = [...names.values()].filter((same) => same.length > 1).length;
    assert.equal(resultsOf(finished).filter((line) => line.startsWith('same name ')).length, repeated);
    const withoutNames = await runs.run('find-duplicate-customers', { parameters: { by_name: false } });
    assert.equal(resultsOf(withoutNames).filter((line) => line.startsWith('same name ')).length, 0);
  });

  test('reconcile-stock reports a gap, enters a stocktake once, and goes on reporting the gap', async () => {
    const { store, runs } = shop();
    const variants = await store.reader.selectFrom('variants').selectAll().where('track_stock', '=', 1).orderBy('id').execute();
    const [broken, counted] = variants;
    assert.ok(broken && counted);
    const clean = await runs.run('reconcile-stock');
    assertReadOnly(clean);
    assert.deepEqual(pick(clean, 'variants', 'gaps'), { variants: variants.length, gaps: 0 });

    await storeStock(store, broken.id, broken.stock + 3);
    const parameters = { counts: { [counted.sku]: counted.stock + 7 } };
    const finished = await runs.run('reconcile-stock', { parameters });
    assert.deepEqual(pick(finished, 'gaps', 'to_correct', 'corrected'), { gaps: 1, to_correct: 1, corrected: 1 });
    assert.deepEqual(rowsOf(finished, 'first_gaps'), [
      { variant_id: broken.id, sku: broken.sku, stock: broken.stock + 3, movements: broken.stock },
    ]);
    assert.deepEqual(
      finished.effects.map(({ changes }) => changes),
      [{ stock: [counted.stock, counted.stock + 7] }],
    );
    const again = await runs.run('reconcile-stock', { parameters });
    assert.deepEqual(pick(again, 'gaps', 'to_correct', 'corrected'), { gaps: 1, to_correct: 0, corrected: 0 });
    assert.equal(again.effects.length, 0);
  });
});

function assertReadOnly({ run, effects, events }: FinishedRun): void {
  assert.equal(run.status, 'success', run.error_message ?? '');
  assert.deepEqual(effects, []);
  assert.ok(events.some(({ kind }) => kind === 'progress'));
  assert.equal(run.progress?.current, run.progress?.total);
}

function pick({ run }: FinishedRun, ...names: string[]): Record<string, unknown> {
  const { result } = run;
  assert.ok(typeof result === 'object' && result !== null && !Array.isArray(result));
  return Object.fromEntries(names.map((name) => [name, result[name]]));
}

function rowsOf(finished: FinishedRun, name: string): Record<string, unknown>[] {
  const { [name]: rows } = pick(finished, name);
  assert.ok(Array.isArray(rows));
  return rows;
}
