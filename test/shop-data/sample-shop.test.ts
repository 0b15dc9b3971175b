import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { productKinds, productStatuses } from '../../contract/products.ts';
import { billingIntervals, cancellationPolicies } from '../../contract/subscriptions.ts';
import { CommandError } from '../../server/shop-data/command.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { dumpOf, emptyShop, sumsOf } from './filled-store.ts';

const shop = { seed: 1, now: new Date('2026-06-30T12:00:00Z'), orders: 2000 };

after(stopPostgres);

test('the same seed and clock make the same shop, on both stores', async (t) => {
  const dumps = [];
  for (const engine of ['sqlite', ...engines] as const) {
    const { store } = await emptyShop(t, engine);
    await fillSampleShop(store, shop);
    dumps.push(await dumpOf(store));
  }
  assert.deepEqual(dumps[1], dumps[0]);
  assert.deepEqual(dumps[2], dumps[0]);
});

test('another seed makes another shop', async (t) => {
  const [one, two] = [await emptyShop(t, 'sqlite'), await emptyShop(t, 'sqlite')];
  await fillSampleShop(one.store, { ...shop, orders: 50 });
  await fillSampleShop(two.store, { ...shop, orders: 50, seed: 2 });
  assert.notDeepEqual((await dumpOf(one.store)).orders, (await dumpOf(two.store)).orders);
});

test('sums, stock and ledgers add up, every enum value is there, and the examples find their cases', async (t) => {
  const { store } = await emptyShop(t, 'sqlite');
  await fillSampleShop(store, shop);
  const db = store.reader;
  assert.deepEqual(await sumsOf(store), { wrongOrders: 0, wrongStock: 0, negativeStock: 0 });

  const orders = await db.selectFrom('orders').selectAll().execute();
  assert.equal(orders.length, 2000);
  const pairs = new Set(orders.map(({ status, payment_status }) => `${status}/${payment_status}`));
  assert.equal(pairs.size, orderStatuses.length * paymentStatuses.length);
  assert.ok(orders.every(({ created_at }) => created_at < shop.now.toISOString() && created_at > '2024-12-28'));
  assert.ok(orders.some(({ is_test }) => is_test === 1));
  assert.ok(orders.some(({ internal_status_id }) => internal_status_id !== null));
  assert.ok(
    orders.filter(({ status, payment_status, created_at }) => payment_status === 'paid' && /^p/.test(status) && created_at < '2026-06-23')
      .length > 5,
  );
  assert.ok(
    orders.filter(
      ({ status, payment_status, created_at }) => payment_status === 'pending' && status === 'pending' && created_at < '2026-06-16',
    ).length > 3,
  );

  const products = await db.selectFrom('products').selectAll().execute();
  assert.equal(products.length, 60);
  assert.deepEqual(new Set(products.map(({ status }) => status)), new Set(productStatuses));
  assert.deepEqual(new Set(products.map(({ kind }) => kind)), new Set(productKinds));
  assert.deepEqual(new Set(products.map(({ billing_interval }) => billing_interval)), new Set([null, ...billingIntervals]));
  assert.deepEqual(new Set(products.map(({ cancellation_policy }) => cancellation_policy)), new Set(cancellationPolicies));

  const variants = await db.selectFrom('variants').selectAll().execute();
  assert.ok(variants.filter(({ stock, track_stock }) => track_stock === 1 && stock <= 5).length > 5);
  assert.ok(variants.some(({ stock, track_stock }) => track_stock === 1 && stock === 0));

  const customers = await db.selectFrom('customers').selectAll().execute();
  assert.equal(customers.length, 400);
  const names = Map.groupBy(customers, ({ name, phone }) => `${phone}/${name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()}`);
  assert.ok([...names.values()].filter(({ length }) => length > 1).length >= 5);
  const lastOrder = new Map(orders.map(({ customer_id, created_at }) => [customer_id, created_at]));
  assert.ok(customers.filter(({ id }) => (lastOrder.get(id) ?? '') < '2026-04-01').length > 50);

  const ledger = Map.groupBy(await db.selectFrom('credit_transactions').selectAll().execute(), ({ credit_id }) => credit_id);
  for (const { id, remaining_credits } of await db.selectFrom('credit_buckets').selectAll().execute()) {
    assert.equal(
      (ledger.get(id) ?? []).reduce((sum, { delta_credits }) => sum + delta_credits, 0),
      remaining_credits,
    );
  }
  assert.deepEqual(new Set([...ledger.values()].flat().map(({ kind }) => kind)), new Set(['manual_grant', 'deduct', 'expire']));
});

test('a shop with products is refused and left as it is', async (t) => {
  const { store } = await emptyShop(t, 'sqlite');
  await fillSampleShop(store, { ...shop, orders: 0 });
  const before = await dumpOf(store);
  await assert.rejects(fillSampleShop(store, shop), CommandError);
  assert.deepEqual(await dumpOf(store), before);
});
