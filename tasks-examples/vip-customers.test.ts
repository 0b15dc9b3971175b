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

test('who has spent enough gets access to the group, once', async () => {
  const shop = await openShop();
  await addOrder(shop, 'Ann', 1500);
  await addOrder(shop, 'Ben', 90_000);
  const first = await shop.run({ amount: 500 });
  assert.deepEqual(first.result, { vips: 1, granted: 1, left: 0 }, first.error ?? '');
  const [group] = await shop.admin.access_groups.list();
  const members = await shop.admin.access_groups.list_members(group?.id ?? 0);
  assert.deepEqual(
    members.map(({ group_slug, customer_email }) => [group_slug, customer_email]),
    [['vip', 'ben@example.com']],
  );
  const second = await shop.run({ amount: 500 });
  assert.deepEqual([second.result, second.effects], [{ vips: 1, granted: 0, left: 0 }, []]);
});
