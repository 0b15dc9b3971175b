import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('hides what is sold out, shows it again with new stock, and leaves alone what people have hidden', async () => {
  const shop = await openShop();
  const { products } = shop.admin;
  const add = async (slug: string, stock: number) => {
    const { id } = await products.create({ slug, name: slug, status: 'active' });
    return { id, variant: (await products.create_variant(id, { sku: slug, price_cents: 900, stock })).id };
  };
  const [mug, cup, jar] = [await add('mug', 0), await add('cup', 5), await add('jar', 0)];
  await products.update(jar.id, { status: 'draft' });
  const statuses = async () => Promise.all([mug, cup, jar].map(async ({ id }) => (await products.get(id)).status));

  const first = await shop.run();
  assert.deepEqual(first.result, { hide: 1, show: 0, changed: 1, left: 0 }, first.error ?? '');
  assert.deepEqual(await statuses(), ['draft', 'active', 'draft']);
  assert.deepEqual((await shop.run()).effects, []);
  for (const { variant } of [mug, jar]) await products.change_stock(variant, { delta: 4, reason: 'Delivery' });
  assert.deepEqual((await shop.run()).result, { hide: 0, show: 1, changed: 1, left: 0 });
  assert.deepEqual(await statuses(), ['active', 'active', 'draft']);
});
