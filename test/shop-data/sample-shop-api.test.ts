import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orderStatuses, paymentStatuses } from '../../contract/orders.ts';
import { subscriptionStatuses } from '../../contract/subscriptions.ts';
import { fillSampleShop } from '../../server/shop-data/sample/fill.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

/** The tests' server checks every answer against its declared schema. */

let app: TestApp;

before(async () => {
  app = await startApp('sqlite');
  await fillSampleShop(app.store, { seed: 1, now: new Date('2026-06-30T12:00:00Z'), orders: 2000, manyOrders: 1 });
});

after(() => app.close());

test('lists of orders that were loaded in bulk count every status and find buyers', async () => {
  const all = await app.client.orders.list({ include_test: true });
  assert.equal(all.total, 2000);
  const totals = async (filters: object[]) =>
    (await Promise.all(filters.map((filter) => app.client.orders.list({ include_test: true, ...filter })))).map(({ total }) => total);
  for (const filters of [orderStatuses.map((status) => ({ status })), paymentStatuses.map((payment_status) => ({ payment_status }))]) {
    const counts = await totals(filters);
    assert.ok(counts.every((count) => count > 0));
    assert.equal(
      counts.reduce((a, b) => a + b, 0),
      2000,
    );
  }
  const buyer = all.data.find(({ customer_email }) => customer_email !== '')?.customer_email ?? '';
  const found = await app.client.orders.list({ include_test: true, search: buyer.slice(3).toUpperCase() });
  assert.ok(found.total > 0);
  assert.ok(found.data.every(({ customer_email }) => customer_email.includes(buyer.slice(3))));
  const calendar = await app.client.orders.calendar({ month: '2026-06' });
  assert.ok(calendar.days.some(({ count }) => count > 0));
});

test('TG1: a bulk load causes no events, so it starts no task', async () => {
  const row = await app.store.reader.selectFrom('domain_events').select('id').limit(1).executeTakeFirst();
  assert.equal(row, undefined);
});

test('orders with all their parts, the terms of sale and subscriptions can be read', async () => {
  const { data } = await app.client.orders.list({ include_test: true, per_page: 100 });
  for (const { id, total } of data) {
    const order = await app.client.orders.get(id);
    const { subtotal, discount_amount, shipping_cost, tax_amount } = order;
    assert.equal(subtotal - discount_amount + shipping_cost + tax_amount, total);
    assert.equal(order.balance_due_cents, total - order.paid_total_cents);
    const payments = await app.client.orders.list_payments(id);
    if (payments.length > 0) assert.equal(order.payment_provider, 'manual');
    await app.client.orders.list_shipments(id);
  }
  const lists = [
    app.client.vouchers,
    app.client.discount_groups,
    app.client.pickup_locations,
    app.client.shipping_methods,
    app.client.tax_rates,
  ];
  for (const list of lists) assert.ok((await list.list({})).total > 0);
  for (const status of subscriptionStatuses) {
    const [subscription] = (await app.client.subscriptions.list({ status })).data;
    assert.ok(subscription, status);
    assert.equal((await app.client.subscriptions.get(subscription.id)).status, status);
    assert.ok((await app.client.subscriptions.list_invoices(subscription.id)).length > 0);
  }
});

test('the label of a parcel of the sample shop can be printed', async () => {
  const parcel = await app.store.reader
    .selectFrom('shipments')
    .select(['label_url'])
    .where('label_url', 'is not', null)
    .executeTakeFirstOrThrow();
  const answer = await app.request({ path: parcel.label_url ?? '' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/pdf');
});
