import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

/** Makes an order of this price for this customer, and returns its id. */
async function addOrder({ admin }: Shop, name: string, price_cents: number): Promise<number> {
  const product = await admin.products.create({ slug: `mug-${name.toLowerCase()}`, name: 'Mug', status: 'active' });
  const variant = await admin.products.create_variant(product.id, { sku: `mug-${name}`, price_cents, stock: 10 });
  const { id } = await admin.orders.create({
    customer: { name, email: `${name.toLowerCase()}@example.com`, phone: '' },
    items: [{ variant_id: variant.id, quantity: 1 }],
    shipping: { kind: 'none' },
    payment_status: 'paid',
    register_customer: true,
    send_confirmation_email: false,
  });
  return id;
}

test('tags the large order alone, and tells of it once', async () => {
  const shop = await openShop();
  await addOrder(shop, 'Ann', 1500);
  const large = await addOrder(shop, 'Ben', 90_000);
  const first = await shop.run({ amount: 200 });
  assert.deepEqual(first.result, { large: 1, tagged: 1, failed: 0, left: 0 }, first.error ?? '');
  assert.equal(first.notifications[0]?.title, 'Large orders: 1');
  const { data } = await shop.admin.orders.list();
  assert.deepEqual(
    data.flatMap(({ id, internal_status_id }) => (internal_status_id === null ? [] : [id])),
    [large],
  );
  const second = await shop.run({ amount: 200 });
  assert.deepEqual([second.result, second.effects], [{ large: 0, tagged: 0, failed: 0, left: 0 }, []]);
});
