import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openShop, type Shop } from 'backroom/testing';

async function addProduct({ admin }: Shop, name: string, stocks: number[], lowStockThreshold: number | null = null): Promise<void> {
  const slug = name.toLowerCase();
  const { id } = await admin.products.create({ slug, name, status: 'active', low_stock_threshold: lowStockThreshold });
  for (const [n, stock] of stocks.entries()) await admin.products.create_variant(id, { sku: `${slug}-${n}`, price_cents: 1000, stock });
}

test('tells what is low, the emptiest first, and changes nothing', async () => {
  const shop = await openShop();
  await addProduct(shop, 'Plenty', [40]);
  await addProduct(shop, 'Low', [2, 3]);
  await addProduct(shop, 'Empty', [0]);
  await addProduct(shop, 'Choosy', [40], 50);

  const { status, error, result, results, log, progress, effects } = await shop.run({ threshold: 5 });

  assert.equal(status, 'success', error ?? '');
  assert.deepEqual(
    results.map((one) => `${one.status}: ${one.item}`),
    ['sold out: Empty', 'low: Low', 'low: Choosy'],
  );
  assert.partialDeepStrictEqual(result, { checked: 4, low: 3, sold_out: 1 });
  assert.ok(log.includes('3 of 4 active products are low, 1 of them sold out'));
  assert.deepEqual(progress, { current: 4, total: 4, label: 'products checked' });
  assert.deepEqual(effects, []);
});

test('reads a whole catalogue', async () => {
  const shop = await openShop({ sample: { orders: 200, now: new Date('2026-06-30T12:00:00Z') } });
  const { total } = await shop.admin.products.list({ status: 'active', per_page: 1 });
  const { status, error, result } = await shop.run({ threshold: 30 });
  assert.equal(status, 'success', error ?? '');
  assert.partialDeepStrictEqual(result, { checked: total });
});
