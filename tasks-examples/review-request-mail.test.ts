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

test('asks once, some days after the order, and only of what was delivered', async () => {
  const shop = await openShop();
  await shop.admin.settings.update({ public_url: 'https://shop.example.com' });
  await shop.admin.orders.update_status(await addOrder(shop, 'Ann', 1500), { status: 'delivered' });
  await addOrder(shop, 'Ben', 1500);
  const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  const none = { to_ask: 0, mailed: 0, left_out: 0, left: 0 };
  const early = await shop.run({ as_of: dayAfter(10) });
  assert.deepEqual([early.result, early.effects], [none, []], early.error ?? '');
  const first = await shop.run({ as_of: dayAfter(15) });
  assert.deepEqual(first.result, { to_ask: 1, mailed: 1, left_out: 0, left: 0 }, first.error ?? '');
  assert.deepEqual(
    first.mails.map(({ to, kind }) => [to, kind]),
    [['ann@example.com', 'marketing']],
  );
  const second = await shop.run({ as_of: dayAfter(16) });
  assert.deepEqual([second.result, second.effects], [none, []]);
});

test('a run that is cut off and resumed asks everybody once', async () => {
  const names = ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil'];
  const shop = await openShop();
  await shop.admin.settings.update({ public_url: 'https://shop.example.com' });
  for (const name of names) await shop.admin.orders.update_status(await addOrder(shop, name, 900), { status: 'delivered' });
  const as_of = new Date(Date.now() + 15 * 86_400_000).toISOString().slice(0, 10);
  const cut = await shop.run({ as_of }, { limits: { host_calls: 7 } });
  assert.deepEqual([cut.status, cut.end_reason], ['interrupted', 'budget']);
  const rest = await shop.run({}, { resume: cut.id });
  assert.deepEqual(rest.result, { to_ask: 5, mailed: 5, left_out: 0, left: 0 }, rest.error ?? '');
  assert.deepEqual(
    [...cut.mails, ...rest.mails].map(({ to }) => to),
    names.map((name) => `${name.toLowerCase()}@example.com`),
  );
});
