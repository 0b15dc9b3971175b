import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { newsOf } from '../helpers/news.ts';
import { refused } from '../helpers/refused.ts';
import { storeProduct } from '../helpers/stored-rows/shop.ts';

onBothStores('products', (app) => {
  async function movementsOf(variantId: number) {
    const movements = await app().client.products.list_stock_movements(variantId, { limit: 200 });
    const { stock } = await app().client.products.get_variant(variantId);
    assert.equal(
      movements.reduce((sum, { delta }) => sum + delta, 0),
      stock,
      'the movements add up to the stock',
    );
    return movements;
  }

  /** The low-stock notifications of a product, oldest first. */
  async function lowStockNews(productId: number) {
    return (await newsOf(app(), 'low_stock')).filter(({ metadata }) => metadata?.['product_id'] === productId);
  }

  test('PD1: products are listed newest first and found by folded name; their variants are sorted by position', async () => {
    const old = await storeProduct(app().store, { name: 'Grüner Tee', created_at: '2026-01-01T00:00:00.000Z' });
    const fresh = await storeProduct(app().store, { name: 'GRÜNER Kaffee', status: 'draft', created_at: '2026-01-02T00:00:00.000Z' });
    const second = await makeVariant(app(), { product_id: old.id, position: 2 });
    const first = await makeVariant(app(), { product_id: old.id, position: 1 });
    const page = await app().client.products.list({ search: 'grüner' });
    assert.deepEqual(
      page.data.map(({ id }) => id),
      [fresh.id, old.id],
    );
    assert.deepEqual(
      page.data[1]?.variants.map(({ id }) => id),
      [first.id, second.id],
    );
    assert.deepEqual([page.total, page.total_pages, page.next_cursor], [2, 1, null]);
    const drafts = await app().client.products.list({ search: 'grüner', status: 'draft' });
    assert.deepEqual(
      drafts.data.map(({ id }) => id),
      [fresh.id],
    );
  });

  test('PD2: a product is read with its variants; each variant can be read alone', async () => {
    const product = await makeProduct(app(), { custom_fields: [{ field_name: 'Engraving', required: true }] });
    const variant = await makeVariant(app(), { product_id: product.id, stock: 3 });
    const detail = await app().client.products.get(product.id);
    assert.deepEqual(detail.custom_fields, [{ field_name: 'Engraving', required: true }]);
    assert.deepEqual(detail.variants, await app().client.products.list_variants(product.id));
    assert.deepEqual(detail.variants[0], await app().client.products.get_variant(variant.id));
    await refused(app().client.products.get(999_999), 404, 'not_found');
    await refused(app().client.products.list_variants(999_999), 404, 'not_found');
    await refused(app().client.products.get_variant(999_999), 404, 'not_found');
    await refused(app().client.products.list_stock_movements(999_999), 404, 'not_found');
  });

  test('PD5: a change of stock by delta is one movement with reason and actor', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    const variant = await app().client.products.change_stock(id, { delta: -3, reason: ' broken ' });
    assert.equal(variant.stock, 7);
    const [movement, ...earlier] = await movementsOf(id);
    assert.equal(earlier.length, 1);
    assert.deepEqual([movement?.delta, movement?.reason, movement?.order_id], [-3, 'broken', null]);
    assert.match(movement?.actor ?? '', /^admin:\d+$/);
  });

  test('PD4: setting the stock succeeds only with the right expected_stock', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    await refused(app().client.products.change_stock(id, { stock: 5, expected_stock: 9 }), 409, 'stock_stale');
    assert.equal((await app().client.products.get_variant(id)).stock, 10);
    assert.equal((await app().client.products.change_stock(id, { stock: 4, expected_stock: 10 })).stock, 4);
    const [movement] = await movementsOf(id);
    assert.equal(movement?.delta, -6);
  });

  test('PD5: setting the stock to its current value makes no movement', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    assert.equal((await app().client.products.change_stock(id, { stock: 10, expected_stock: 10 })).stock, 10);
    assert.equal((await movementsOf(id)).length, 1);
  });

  test('R2: a change of stock needs delta and reason or stock and expected_stock, and must be in range', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    await refused(app().client.products.change_stock(id, { delta: 0, reason: 'x' }), 422, 'zero_delta');
    await refused(app().client.products.change_stock(id, { delta: 1 }), 422, 'required');
    await refused(app().client.products.change_stock(id, { stock: 1 }), 422, 'required');
    await refused(app().client.products.change_stock(id, { delta: 1_000_000_000, reason: 'x' }), 422, 'out_of_range');
    assert.equal((await movementsOf(id)).length, 1);
  });

  test('PD4: of simultaneous sets with one expected_stock one succeeds; simultaneous deltas all count', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    const sets = await Promise.allSettled([1, 2, 3].map((stock) => app().client.products.change_stock(id, { stock, expected_stock: 10 })));
    assert.equal(sets.filter(({ status }) => status === 'fulfilled').length, 1);
    const before = (await app().client.products.get_variant(id)).stock;
    await Promise.all([1, 2, 3, 4].map(() => app().client.products.change_stock(id, { delta: 5, reason: 'delivery' })));
    assert.equal((await app().client.products.get_variant(id)).stock, before + 20);
    await movementsOf(id);
  });

  test('PD5: movements are listed newest first and paged by id', async () => {
    const { id } = await makeVariant(app(), { stock: 1 });
    for (const delta of [2, 3, 4]) await app().client.products.change_stock(id, { delta, reason: 'delivery' });
    const all = await movementsOf(id);
    assert.deepEqual(
      all.map(({ delta }) => delta),
      [4, 3, 2, 1],
    );
    const below = await app().client.products.list_stock_movements(id, { before_id: all[1]?.id ?? 0, limit: 1 });
    assert.deepEqual(
      below.map(({ delta }) => delta),
      [2],
    );
    await refused(app().client.products.list_stock_movements(id, { limit: 201 }), 422, 'out_of_range');
  });

  test('PH10: each fall to the threshold makes one notification with the tracked stock of the product', async () => {
    const product = await makeProduct(app(), { low_stock_threshold: 10 });
    const first = await makeVariant(app(), { product_id: product.id, stock: 8 });
    const second = await makeVariant(app(), { product_id: product.id, stock: 5 });
    const untracked = await makeVariant(app(), { product_id: product.id, stock: 1000, track_stock: false });
    const change = (id: number, delta: number) => app().client.products.change_stock(id, { delta, reason: 'count' });
    await change(first.id, -2);
    assert.equal((await lowStockNews(product.id)).length, 0, '11 pieces are left');
    await change(second.id, -1);
    await change(first.id, -1);
    await change(untracked.id, -500);
    const news = await lowStockNews(product.id);
    assert.deepEqual(
      news.map(({ metadata, severity }) => [metadata, severity]),
      [[{ product_id: product.id, product_name: product.name, stock: 10 }, 'warning']],
    );
    await change(first.id, 10);
    await change(first.id, -10);
    assert.equal((await lowStockNews(product.id)).length, 2, 'a second notification after the stock had risen');
  });

  test('DA3: a product without a threshold uses that of the settings', async () => {
    const { id, product_id } = await makeVariant(app(), { stock: 6 });
    await app().client.products.change_stock(id, { delta: -1, reason: 'sold' });
    assert.equal((await lowStockNews(product_id)).length, 1);
  });

  test('ET1: a change of stock raises the version of the variant', async () => {
    const { id } = await makeVariant(app(), { stock: 6 });
    const stale = { headers: { 'If-Match': `"variant-${id}-1"` } };
    await app().client.products.change_stock(id, { delta: 1, reason: 'count' }, stale);
    await refused(app().client.products.change_stock(id, { delta: 1, reason: 'count' }, stale), 412, 'precondition_failed');
  });
});
