import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

/** Makes a pending order of this price, billed to this country, and returns its id. */
async function addOrder({ admin }: Shop, name: string, price_cents: number, billed: string): Promise<number> {
  const product = await admin.products.create({ slug: `mug-${name.toLowerCase()}`, name: 'Mug', status: 'active' });
  const variant = await admin.products.create_variant(product.id, { sku: `mug-${name}`, price_cents, stock: 10 });
  const address = { line1: '1 High Street', city: 'Vienna', state: '', postal_code: '1010', country: 'AT' };
  const { id } = await admin.orders.create({
    customer: { name, email: `${name.toLowerCase()}@example.com`, phone: '' },
    items: [{ variant_id: variant.id, quantity: 1 }],
    shipping: { kind: 'none' },
    shipping_address: { ...address, line2: '' },
    billing_address: { ...address, name, country: billed },
    payment_status: 'paid',
    register_customer: true,
    send_confirmation_email: false,
  });
  return id;
}

test('holds a large first order and one that is billed to another country, once', async () => {
  const shop = await openShop();
  await addOrder(shop, 'Ann', 1500, 'AT');
  const large = await addOrder(shop, 'Ben', 90_000, 'AT');
  const foreign = await addOrder(shop, 'Cleo', 1500, 'US');
  const first = await shop.run({ amount: 300 });
  assert.deepEqual(first.result, { looked_at: 3, risky: 2, held: 2, left: 0 }, first.error ?? '');
  assert.deepEqual(
    first.results.map(({ details }) => details),
    [
      { order_id: large, reasons: ['large first order'] },
      { order_id: foreign, reasons: ['billed to another country'] },
    ],
  );
  const second = await shop.run({ amount: 300 });
  assert.deepEqual([second.result, second.effects], [{ looked_at: 1, risky: 0, held: 0, left: 0 }, []]);
});
