import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Makes an order of two mugs and returns its id. */
async function addOrder({ admin }: Shop, variant: number, payment_status: 'paid' | 'pending'): Promise<number> {
  const { id } = await admin.orders.create({
    customer: { name: 'Ann', email: 'ann@example.com', phone: '' },
    items: [{ variant_id: variant, quantity: 2 }],
    shipping: { kind: 'none' },
    payment_status,
    register_customer: false,
    send_confirmation_email: false,
  });
  return id;
}

test('cancels what was not paid after 14 days, and puts its goods back', async () => {
  const shop = await openShop();
  const { id } = await shop.admin.products.create({ slug: 'mug', name: 'Mug', status: 'active' });
  const { id: variant } = await shop.admin.products.create_variant(id, { sku: 'mug', price_cents: 1500, stock: 10 });
  const unpaid = await addOrder(shop, variant, 'pending');
  const paid = await addOrder(shop, variant, 'paid');
  const statuses = () => Promise.all([unpaid, paid].map(async (order) => (await shop.admin.orders.get(order)).status));

  const early = await shop.run({ days: 14, as_of: inDays(10) });
  assert.deepEqual(
    [early.result, early.effects],
    [{ unpaid: 0, cancelled: 0, cancelled_cents: 0, skipped: 0, left: 0 }, []],
    early.error ?? '',
  );

  const dry = await shop.run({ days: 14, as_of: inDays(15) }, { dryRun: true });
  assert.deepEqual([dry.status, dry.effects.length, await statuses()], ['success', 1, ['pending', 'processing']], dry.error ?? '');

  const late = await shop.run({ days: 14, as_of: inDays(15) });
  assert.deepEqual(late.result, { unpaid: 1, cancelled: 1, cancelled_cents: 3000, skipped: 0, left: 0 }, late.error ?? '');
  assert.deepEqual(await statuses(), ['cancelled', 'processing']);
  assert.equal((await shop.admin.products.get_variant(variant)).stock, 8);
});
