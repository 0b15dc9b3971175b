import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

const now = new Date('2026-06-30T12:00:00Z');

test('marks the orders whose address is doubtful, once', async () => {
  const shop = await openShop({ sample: { orders: 60, now } });
  const days = { as_of: '2026-06-30', days: 5000 };
  const before = await shop.run(days, { dryRun: true });
  assert.equal(before.status, 'success', before.error ?? '');
  const marked = before.results.length;

  const { data } = await shop.admin.orders.list({ status: 'pending', internal_status_id: 'none', per_page: 100 });
  const details = await Promise.all(data.map(({ id }) => shop.admin.orders.get(id)));
  const marks = before.results.map(({ item }) => item);
  const good = details.find((order) => order.shipping_method !== '' && !order.pickup_location_id && !marks.includes(order.public_id));
  assert.ok(good);
  const address = { line1: 'Nowhere Lane', city: '', postal_code: '12' };
  await shop.admin.orders.edit(good.id, { shipping_address: { ...address, line2: '', state: '', country: 'DE' } });

  const first = await shop.run(days);
  assert.equal(first.results.length, marked + 1, first.error ?? '');
  assert.deepEqual(first.results.find(({ item }) => item === good.public_id)?.details, {
    order_id: good.id,
    faults: ['no number of the house', 'no city', 'postal code of no DE form'],
  });
  assert.deepEqual((await shop.run(days)).effects, []);
});
