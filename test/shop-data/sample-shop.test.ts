import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { productKinds, productStatuses } from '../../contract/products.ts';
import { shipmentStatuses } from '../../contract/shipments.ts';
import { billingIntervals, cancellationPolicies, subscriptionStatuses } from '../../contract/subscriptions.ts';
import { VoucherKind, voucherKinds } from '../../contract/vouchers.ts';
import { CommandError } from '../../server/shop-data/command.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { dumpOf, emptyShop, sumsOf } from './filled-store.ts';
import { assertSums } from './order-sums.ts';

const VoucherTerms = z.object({ kind: VoucherKind, percent_bps: z.int().nullable(), amount_cents: z.int().nullable() });
const shop = { seed: 1, now: new Date('2026-06-30T12:00:00Z'), orders: 2000 };

after(stopPostgres);

test('the same seed and clock make the same shop, on every store', async (t) => {
  const dumps = [];
  for (const engine of ['sqlite', ...engines] as const) {
    const { store } = await emptyShop(t, engine);
    await fillSampleShop(store, shop);
    dumps.push(await dumpOf(store));
  }
  for (const other of dumps.slice(1)) assert.deepEqual(other, dumps[0]);
});

test('another seed makes another shop', async (t) => {
  const [one, two] = [await emptyShop(t, 'sqlite'), await emptyShop(t, 'sqlite')];
  await fillSampleShop(one.store, { ...shop, orders: 50 });
  await fillSampleShop(two.store, { ...shop, orders: 50, seed: 2 });
  assert.notDeepEqual((await dumpOf(one.store)).orders, (await dumpOf(two.store)).orders);
});

test('a shop of a few orders is filled, though some tables then get no row', async (t) => {
  for (const orders of [0, 1, 3]) {
    const { store } = await emptyShop(t, 'sqlite');
    const { outcome } = await fillSampleShop(store, { ...shop, orders });
    assert.equal(outcome, 'filled');
    assert.equal((await dumpOf(store)).orders?.length ?? 0, orders);
  }
});

test('sums, stock and ledgers add up, every enum value occurs, and the example tasks find their cases', async (t) => {
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

test('every order adds up, and agrees with its payments, voucher and shipments', async (t) => {
  const { store } = await emptyShop(t, 'sqlite');
  await fillSampleShop(store, shop);
  const db = store.reader;
  const orders = await db.selectFrom('orders').selectAll().execute();
  const linesOf = Map.groupBy(await db.selectFrom('order_items').selectAll().orderBy('id').execute(), ({ order_id }) => order_id);
  const recordsOf = Map.groupBy(await db.selectFrom('payments').selectAll().execute(), ({ order_id }) => order_id);
  const uses = await db.selectFrom('voucher_uses').selectAll().execute();
  const vouchers = await db.selectFrom('vouchers').selectAll().execute();
  for (const order of orders) {
    const lines = linesOf.get(order.id) ?? [];
    const { total } = order;
    assertSums(order, lines, order.voucher_terms === null ? null : VoucherTerms.parse(JSON.parse(order.voucher_terms)));
    const records = recordsOf.get(order.id) ?? [];
    if (records.length > 0) {
      assert.equal(order.payment_provider, 'manual');
      const paid = records.reduce((sum, record) => sum + record.paid * record.amount_cents, 0);
      assert.equal(order.paid_amount, paid);
      assert.equal(order.payment_status, paid >= total ? 'paid' : 'pending');
    } else assert.equal(order.paid_amount, order.payment_status === 'paid' ? total : 0);
    assert.equal(order.first_paid_at !== null, order.payment_status === 'paid' || order.payment_status === 'refunded' || total === 0);
    const used = vouchers.filter(({ id }) => uses.some(({ voucher_id, order_id }) => voucher_id === id && order_id === order.id));
    const code = order.status === 'cancelled' ? null : order.voucher_code;
    assert.deepEqual(
      used.map(({ code }) => code),
      code === null ? [] : [code],
    );
  }
  for (const { id, used_count, usage_limit } of vouchers) {
    assert.equal(uses.filter(({ voucher_id }) => voucher_id === id).length, used_count);
    assert.ok(usage_limit === null || used_count <= usage_limit);
  }
  assert.ok(
    vouchers.some(({ usage_limit, used_count }) => usage_limit === used_count),
    'a voucher is used up',
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  for (const { order_id, tracking_number } of await db.selectFrom('shipments').selectAll().where('provider', '=', 'manual').execute()) {
    if (tracking_number !== null) assert.equal(byId.get(order_id)?.tracking_number, tracking_number);
  }
});

test('every enum value of vouchers, payments, shipments and subscriptions occurs, whatever the clock', async (t) => {
  for (const now of ['2026-06-30T12:00:00Z', '2027-02-01T00:00:00Z']) {
    const { store } = await emptyShop(t, 'sqlite');
    await fillSampleShop(store, { ...shop, now: new Date(now) });
    const db = store.reader;
    const values = async (table: 'vouchers' | 'shipments' | 'subscriptions', column: 'kind' | 'status') =>
      new Set(
        (await sql<{ value: string }>`SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)}`.execute(db)).rows.map(
          ({ value }) => value,
        ),
      );
    assert.deepEqual(await values('vouchers', 'kind'), new Set(voucherKinds));
    assert.deepEqual(await values('shipments', 'status'), new Set(shipmentStatuses));
    assert.deepEqual(await values('subscriptions', 'status'), new Set(subscriptionStatuses));
    const orders = await db.selectFrom('orders').select(['total', 'paid_amount']).execute();
    const progresses = new Set(
      orders.map(
        ({ total, paid_amount }) => `${(paid_amount ?? 0) > 0 ? 'some' : 'nothing'}, ${Math.sign((paid_amount ?? 0) - total)} of the total`,
      ),
    );
    for (const one of ['nothing, -1 of the total', 'some, -1 of the total', 'some, 0 of the total', 'some, 1 of the total'])
      assert.ok(progresses.has(one), one);
    const billed = await db
      .selectFrom('subscriptions as s')
      .innerJoin('order_items as i', 'i.id', 's.order_item_id')
      .select(['s.initial_order_id', 'i.order_id', 's.product_id', 'i.product_id as ordered_id'])
      .execute();
    assert.ok(billed.length > 50);
    assert.ok(billed.every((one) => one.initial_order_id === one.order_id && one.product_id === one.ordered_id));
  }
});

test('a fill of a shop with products is refused and changes nothing', async (t) => {
  const { store } = await emptyShop(t, 'sqlite');
  await fillSampleShop(store, { ...shop, orders: 0 });
  const before = await dumpOf(store);
  await assert.rejects(fillSampleShop(store, shop), CommandError);
  assert.deepEqual(await dumpOf(store), before);
});
