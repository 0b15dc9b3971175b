import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop } from 'backroom/testing';

test('reduces prices while the sale is on, and sets them back after it', async () => {
  const shop = await openShop({ settings: { currency: 'KWD' } });
  const { products } = shop.admin;
  const { id } = await products.create({ slug: 'mug', name: 'Mug', status: 'active' });
  const { id: variant } = await products.create_variant(id, { sku: 'mug', price_cents: 1999, stock: 1 });
  const sale = { percent: 15, starts_on: '2026-11-20', ends_on: '2026-11-30' };
  const on = async (as_of: string) => {
    const { result, error } = await shop.run({ ...sale, as_of });
    const { price_cents, compare_at_price_cents } = await products.get_variant(variant);
    return [error, (result as { changed: number }).changed, price_cents, compare_at_price_cents];
  };
  assert.deepEqual(await on('2026-11-19'), [null, 0, 1999, null]);
  assert.deepEqual(await on('2026-11-20'), [null, 1, 1699, 1999]);
  assert.deepEqual(await on('2026-11-30'), [null, 0, 1699, 1999]);
  assert.deepEqual(await on('2026-12-01'), [null, 1, 1999, null]);
  assert.deepEqual(await on('2026-12-02'), [null, 0, 1999, null]);
});
