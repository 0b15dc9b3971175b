import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('finding products', (app) => {
  test('products are found by name or SKU, kind and tracked stock; stock counts as on the dashboard', async () => {
    const { client } = app();
    const found = async (query: object) => (await client.products.list(query)).data.map(({ name }) => name).sort();
    const make = async (name: string, stock: readonly number[], values: Parameters<typeof makeProduct>[1] = {}) => {
      const product = await makeProduct(app(), { name, ...values });
      for (const [n, one] of stock.entries()) await makeVariant(app(), { product_id: product.id, sku: `SKU-${name}-${n}`, stock: one });
      return product;
    };
    await make('Empty', [0, 0]);
    await make('Few', [2, 3]);
    await make('Enough', [2, 4]);
    await make('Own limit', [8, 1], { low_stock_threshold: 9 });
    const untracked = await make('Untracked', []);
    await makeVariant(app(), { product_id: untracked.id, track_stock: false, stock: 0 });
    await make('E-book', [], { kind: 'digital' });
    const old = await make('Old', [0]);
    await client.products.update(old.id, { status: 'archived' });
    assert.deepEqual(await found({ low_stock: true }), ['Few', 'Own limit']);
    assert.deepEqual(await found({ out_of_stock: true }), ['Empty']);
    assert.deepEqual(await found({ out_of_stock: true, low_stock: true }), []);
    assert.deepEqual((await client.dashboard.get()).low_stock_products.map(({ name }) => name).sort(), ['Few', 'Own limit']);
    assert.deepEqual(await found({ kind: 'digital' }), ['E-book']);
    assert.deepEqual(await found({ search: 'sku-few-1' }), ['Few']);
    assert.deepEqual(await found({ search: 'sku-', low_stock: true, status: 'active' }), ['Few', 'Own limit']);
    const page = await client.products.list({ search: 'sku-few' });
    assert.equal(page.total, 1, 'a product with several matching variants is listed once');
  });
});

onBothStores('finding variants', (app) => {
  const find = (query: Parameters<ReturnType<typeof app>['client']['products']['search_variants']>[0]) =>
    app().client.products.search_variants(query);
  const skusOf = async (query: Parameters<typeof find>[0]) => (await find(query)).map(({ sku }) => sku);

  test('a variant is found by words of its product, label and SKU, by product name and position', async () => {
    const tea = await makeProduct(app(), { name: 'Zauber Grüner Tee' });
    const mug = await makeProduct(app(), { name: 'Zauber Becher' });
    for (const [label, position] of [
      ['Groß', 2],
      ['Klein', 1],
    ] as const)
      await makeVariant(app(), { product_id: tea.id, sku: `tee-${label}`, label, position });
    await makeVariant(app(), { product_id: mug.id, sku: 'BECHER-9', label: 'grün' });
    assert.deepEqual(await skusOf({ search: 'zauber' }), ['BECHER-9', 'tee-Klein', 'tee-Groß']);
    assert.deepEqual(await skusOf({ search: ' GRÜN  zauber' }), ['BECHER-9', 'tee-Klein', 'tee-Groß']);
    assert.deepEqual(await skusOf({ search: 'tee GROSS' }), ['tee-Groß']);
    assert.deepEqual(await skusOf({ search: 'zauber her-9' }), ['BECHER-9']);
    assert.deepEqual(await skusOf({ search: 'zauber rot' }), []);
    assert.deepEqual(await skusOf({ search: 'zauber', limit: 2 }), ['BECHER-9', 'tee-Klein']);
    assert.deepEqual(await skusOf({ search: 'zauber %' }), [], 'a search is literal');
  });

  test('a row has what somebody who picks it needs; without a search all variants are found', async () => {
    const product = await makeProduct(app(), { name: 'AAA' });
    const variant = await makeVariant(app(), { product_id: product.id, label: 'L', price_cents: 5, stock: 7, allow_backorder: true });
    const [first] = await find({ limit: 1 });
    assert.deepEqual(first, {
      id: variant.id,
      product_id: product.id,
      product_name: 'AAA',
      product_status: 'active',
      sku: variant.sku,
      label: 'L',
      price_cents: 5,
      stock: 7,
      track_stock: true,
      allow_backorder: true,
      active: true,
    });
    assert.ok((await find({})).length > 1);
  });

  test('the variant with exactly this SKU comes first, whatever else contains it', async () => {
    const last = await makeProduct(app(), { name: 'Zzz' });
    const before = await makeProduct(app(), { name: 'Aab' });
    await makeVariant(app(), { product_id: last.id, sku: 'Pot-1' });
    for (const n of [10, 11, 12]) await makeVariant(app(), { product_id: before.id, sku: `POT-${n}` });
    assert.deepEqual(await skusOf({ search: 'pot-1', limit: 3 }), ['Pot-1', 'POT-10', 'POT-11']);
    assert.deepEqual(await skusOf({ search: 'pot-1' }), ['Pot-1', 'POT-10', 'POT-11', 'POT-12'], 'it is listed once');
  });

  test('with on_sale only those are found that an order can take; a changed SKU or label counts at once', async () => {
    const sold = await makeProduct(app(), { name: 'Lamp' });
    const gone = await makeProduct(app(), { name: 'Lamp, old' });
    const on = await makeVariant(app(), { product_id: sold.id, sku: 'LAMP-1' });
    await makeVariant(app(), { product_id: sold.id, sku: 'LAMP-2', active: false });
    await makeVariant(app(), { product_id: gone.id, sku: 'LAMP-3' });
    await app().client.products.update(gone.id, { status: 'archived' });
    assert.deepEqual(await skusOf({ search: 'lamp' }), ['LAMP-1', 'LAMP-2', 'LAMP-3']);
    assert.deepEqual(await skusOf({ search: 'lamp', on_sale: true }), ['LAMP-1']);
    assert.deepEqual(await skusOf({ search: 'lamp-3', on_sale: true }), [], 'nor by its exact SKU');
    await app().client.products.update_variant(on.id, { sku: 'lux-1', label: 'Bronze' });
    assert.deepEqual(await skusOf({ search: 'bronze LUX' }), ['lux-1']);
    assert.deepEqual(await skusOf({ search: 'lamp-1' }), []);
  });

  test('a limit outside 1 to 100 is refused', async () => {
    for (const limit of [0, 101]) await refused(find({ limit }), 422, 'out_of_range');
  });
});
