import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const order = {
  id: 820_982_911,
  name: '#1001',
  email: 'ada@example.com',
  phone: null,
  total_price: '25.00',
  currency: 'EUR',
  financial_status: 'paid',
  shipping_address: {
    name: 'Ada Lovelace',
    address1: '1 Quay',
    address2: null,
    city: 'Cork',
    province: null,
    zip: 'T12',
    country_code: 'IE',
  },
  line_items: [{ sku: 'CUP-1', title: 'Cup', quantity: 2 }],
};
const sent = (body: typeof order | { hello: number }) => ({ sent: { headers: { 'x-shopify-topic': 'orders/create' }, query: {}, body } });

async function addCup({ admin }: Shop): Promise<number> {
  const { id } = await admin.products.create({ slug: 'cup', name: 'Cup', status: 'active' });
  return (await admin.products.create_variant(id, { sku: 'CUP-1', price_cents: 1250, stock: 9 })).id;
}

test('makes an order of what was sent, once', async () => {
  const shop = await openShop();
  const variant = await addCup(shop);
  const dry = await shop.run(sent(order), { dryRun: true });
  assert.equal(dry.status, 'success', dry.error ?? '');
  assert.equal((await shop.admin.orders.list()).total, 0);

  const first = await shop.run(sent(order));
  assert.equal(first.status, 'success', first.error ?? '');
  const { data } = await shop.admin.orders.list();
  assert.deepEqual(first.result, { imported: 1, order_id: data[0]?.id });
  const made = await shop.admin.orders.get(data[0]?.id ?? 0);
  assert.deepEqual(
    [
      made.customer_name,
      made.customer_email,
      made.payment_status,
      made.total,
      made.items.map(({ variant_id, quantity }) => [variant_id, quantity]),
    ],
    ['Ada Lovelace', 'ada@example.com', 'paid', 2500, [[variant, 2]]],
  );

  const again = await shop.run(sent(order));
  assert.deepEqual([again.result, again.effects], [{ imported: 0, order_id: made.id }, []]);
  const other = await shop.run(sent({ ...order, id: 2, name: '#1002', financial_status: 'pending', total_price: '30.00' }));
  assert.equal(other.results[0]?.status, 'imported, another total');
  assert.equal((await shop.admin.orders.list()).total, 2);
});

test('what is no order, or has an unknown SKU, fails with a clear error and makes nothing', async () => {
  const shop = await openShop();
  assert.match((await shop.run(sent({ hello: 1 }))).error ?? '', /no order of Shopify: it needs id, name and line_items/);
  const unknown = await shop.run(sent(order));
  assert.match(unknown.error ?? '', /no variant has the SKU "CUP-1" of "Cup"/);
  assert.deepEqual((await shop.run()).result, { imported: 0 });
  assert.equal((await shop.admin.orders.list()).total, 0);
  await addCup(shop);
  assert.equal((await shop.run(sent(order))).status, 'success');
});
