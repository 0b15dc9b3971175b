import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { codeOf, countRows } from '../helpers/runs.ts';
import { storeSubscription } from '../helpers/stored-rows/subscriptions.ts';

async function stockAddsUp(app: TestApp, variantId: number): Promise<number[]> {
  const deltas = (await app.client.products.list_stock_movements(variantId, { limit: 200 })).map(({ delta }) => delta);
  const { stock } = await app.client.products.get_variant(variantId);
  assert.equal(
    deltas.reduce((sum, delta) => sum + delta, 0),
    stock,
  );
  return deltas;
}

onBothStores('creating, changing and deleting products and variants', (app) => {
  test('PD1: a product needs a name and a slug; everything else has a default', async () => {
    const { products } = app().client;
    const answer = await app().request({ method: 'POST', path: '/admin/api/products', body: { slug: 'mug', name: ' Mug ' } });
    assert.equal(answer.status, 201);
    const location = answer.headers['location'] ?? '';
    const product = await products.get(Number(location.split('/').at(-1)));
    assert.deepEqual(answer.body, product);
    assert.equal(answer.headers['etag']?.split('.')[0], `"product-${product.id}-1`);
    assert.match(product.public_id, /^[0-9A-HJKMNP-TV-Z]{12}$/);
    const { id: _, public_id: __, created_at, updated_at, ...rest } = product;
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      slug: 'mug',
      name: 'Mug',
      description: '',
      status: 'draft',
      kind: 'physical',
      tax_rate_id: null,
      low_stock_threshold: null,
      custom_fields: [],
      media_ids: [],
      file_ids: [],
      is_subscription: false,
      billing_interval: null,
      billing_interval_count: 1,
      cancellation_policy: 'immediate',
      max_billing_cycles: null,
      variants: [],
    });
    const nameless = await app().request({ method: 'POST', path: '/admin/api/products', body: { slug: 'cup' } });
    assert.deepEqual(codeOf(nameless), [422, 'required']);
  });

  test('C8: a slug is unique and well formed, on creation and on change', async () => {
    const { products } = app().client;
    const taken = await products.create({ slug: 'unique-slug', name: 'A' });
    const other = await products.create({ slug: 'other-slug', name: 'B' });
    assert.equal((await refused(products.create({ slug: 'unique-slug', name: 'C' }), 422, 'slug_taken')).errors[0]?.pointer, '/slug');
    await refused(products.update(other.id, { slug: 'unique-slug' }), 422, 'slug_taken');
    await refused(products.create({ slug: 'Big-', name: 'C' }), 422, 'slug_invalid');
    assert.equal((await products.update(taken.id, { slug: 'unique-slug' })).slug, 'unique-slug', 'its own slug is accepted');
    const race = await Promise.allSettled([1, 2, 3].map(() => products.create({ slug: 'race', name: 'R' })));
    assert.deepEqual(race.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
    const renamed = await Promise.allSettled([taken.id, other.id].map((id) => products.update(id, { slug: 'same-wish' })));
    assert.deepEqual(renamed.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const rejected = renamed.find((one) => one.status === 'rejected');
    assert.equal(rejected?.reason.code, 'slug_taken');
  });

  test('PD1, ET1: a PATCH keeps omitted fields; without a change there is no new version', async () => {
    const { products } = app().client;
    const made = await products.create({ slug: 'patched', name: 'Before', description: 'text', low_stock_threshold: 4 });
    const custom_fields = [{ field_name: 'Engraving', required: true }, { field_name: 'Gift note' }];
    const after = await products.update(made.id, { name: 'Nachher', status: 'active', low_stock_threshold: null, custom_fields });
    assert.deepEqual([after.name, after.status, after.low_stock_threshold, after.description], ['Nachher', 'active', null, 'text']);
    assert.deepEqual(after.custom_fields[1], { field_name: 'Gift note', required: false });
    assert.deepEqual(
      (await products.list({ search: 'NACHHER', status: 'active' })).data.map(({ id }) => id),
      [made.id],
    );
    const current = { headers: { 'If-Match': `"product-${made.id}-2"` } };
    await products.update(made.id, { name: 'Nachher' }, current);
    assert.deepEqual(await products.update(made.id, {}, current), after);
    await products.update(made.id, { name: 'Later' }, current);
    await refused(products.update(made.id, { name: 'Stale' }, current), 412, 'precondition_failed');
    const twice = [{ field_name: 'Size' }, { field_name: 'SIZE' }];
    await refused(products.update(made.id, { custom_fields: twice }), 422, 'duplicate');
    await refused(products.update(999_999, { name: 'x' }), 404, 'not_found');
  });

  test('PD7: a subscription product is billed monthly by default and needs an interval', async () => {
    const { products } = app().client;
    const tea = await products.create({ slug: 'tea-club', name: 'Tea club', is_subscription: true });
    assert.deepEqual([tea.billing_interval, tea.billing_interval_count], ['month', 1]);
    assert.equal((await products.update(tea.id, { billing_interval: 'week', billing_interval_count: 2 })).billing_interval, 'week');
    await refused(products.update(tea.id, { billing_interval: null }), 422, 'required');
    await refused(products.create({ slug: 'x', name: 'X', is_subscription: true, billing_interval: null }), 422, 'required');
    const plain = await products.create({ slug: 'plain', name: 'Plain' });
    assert.equal((await products.update(plain.id, { is_subscription: true, cancellation_policy: 'period_end' })).billing_interval, 'month');
  });

  test('PD3: deleting a product that was never ordered deletes its variants and their movements', async () => {
    const { products } = app().client;
    const before = await countRows(app());
    const { id } = await products.create({ slug: 'unsold', name: 'Unsold' });
    const variant = await products.create_variant(id, { sku: 'UNSOLD', price_cents: 100, stock: 5 });
    await products.delete(id);
    await refused(products.get(id), 404, 'not_found');
    await refused(products.get_variant(variant.id), 404, 'not_found');
    await refused(products.delete(id), 404, 'not_found');
    assert.equal((await countRows(app()))['stock_movements'], before['stock_movements']);
  });

  test('PD3: deleting a product that was ordered archives it; its orders and variants stay', async () => {
    const { products, orders } = app().client;
    const product = await makeProduct(app());
    const variant = await makeVariant(app(), { product_id: product.id });
    const order = await makeOrder(app(), { status: 'cancelled' }, [{ variant, quantity: 1 }]);
    await products.delete(product.id);
    const archived = await products.get(product.id);
    assert.deepEqual([archived.status, archived.variants.length], ['archived', 1]);
    assert.equal((await orders.get(order.id)).items[0]?.product_id, product.id);
    await products.delete(product.id);
    assert.deepEqual(await products.get(product.id), archived, 'a second deletion changes nothing');
  });

  test('PD3: a product with a subscription is archived, and its variant cannot be deleted', async () => {
    const { products } = app().client;
    const { product_id, variant_id } = await storeSubscription(app().store);
    await refused(products.delete_variant(variant_id), 409, 'in_use');
    await products.delete(product_id);
    assert.equal((await products.get(product_id)).status, 'archived');
  });

  test('PD2, PD5: a variant needs a SKU and a price; its initial stock is its first movement', async () => {
    const { products } = app().client;
    const { id } = await products.create({ slug: 'shirt', name: 'Shirt' });
    const plain = await products.create_variant(id, { sku: ' SHIRT-S ', price_cents: 1990 });
    assert.deepEqual(plain, {
      id: plain.id,
      product_id: id,
      sku: 'SHIRT-S',
      label: '',
      price_cents: 1990,
      compare_at_price_cents: null,
      track_stock: true,
      stock: 0,
      allow_backorder: false,
      weight_grams: 0,
      position: 0,
      active: true,
    });
    assert.deepEqual(await stockAddsUp(app(), plain.id), []);
    const stocked = await products.create_variant(id, { sku: 'SHIRT-M', price_cents: 1990, label: 'M', stock: 12, weight_grams: 180 });
    assert.equal(stocked.position, 1);
    assert.deepEqual(await stockAddsUp(app(), stocked.id), [12]);
    const [movement] = await products.list_stock_movements(stocked.id);
    assert.deepEqual([movement?.reason, movement?.order_id], ['initial stock', null]);
    assert.match(movement?.actor ?? '', /^admin:\d+$/);
    const detail = await app().request({ path: `/admin/api/products/${id}` });
    assert.equal(detail.headers['etag']?.split('.')[0], `"product-${id}-3`, 'a new variant raises the product’s version');
    assert.deepEqual((await products.get(id)).variants, [plain, stocked]);
    await refused(products.create_variant(999_999, { sku: 'X', price_cents: 1 }), 404, 'not_found');
    await refused(products.create_variant(id, { sku: 'X', price_cents: -1 }), 422, 'out_of_range');
    await refused(products.create_variant(id, { sku: 'X', price_cents: 1, stock: 1_000_000_001 }), 422, 'out_of_range');
  });

  test('PD7: stock of digital and subscription products is tracked only if requested', async () => {
    const { products } = app().client;
    const ebook = await products.create({ slug: 'ebook', name: 'E-book', kind: 'digital' });
    const club = await products.create({ slug: 'club', name: 'Club', is_subscription: true });
    assert.equal((await products.create_variant(ebook.id, { sku: 'EBOOK', price_cents: 900 })).track_stock, false);
    assert.equal((await products.create_variant(club.id, { sku: 'CLUB', price_cents: 900 })).track_stock, false);
    assert.equal((await products.create_variant(ebook.id, { sku: 'SIGNED', price_cents: 900, track_stock: true })).track_stock, true);
  });

  test('PD2: a SKU is unique in the whole shop', async () => {
    const { products } = app().client;
    const a = await products.create({ slug: 'sku-a', name: 'A' });
    const b = await products.create({ slug: 'sku-b', name: 'B' });
    await products.create_variant(a.id, { sku: 'ONLY-ONE', price_cents: 1 });
    const error = await refused(products.create_variant(b.id, { sku: 'ONLY-ONE', price_cents: 1, stock: 3 }), 422, 'duplicate');
    assert.equal(error.errors[0]?.pointer, '/sku');
    const other = await products.create_variant(b.id, { sku: 'ANOTHER', price_cents: 1 });
    await refused(products.update_variant(other.id, { sku: 'ONLY-ONE' }), 422, 'duplicate');
    assert.equal((await products.update_variant(other.id, { sku: 'ANOTHER' })).sku, 'ANOTHER');
  });

  test('PD4: a PATCH of a variant changes every field but the stock', async () => {
    const { products } = app().client;
    const { id, product_id } = await makeVariant(app(), { stock: 7 });
    const changed = await products.update_variant(id, { price_cents: 2500, compare_at_price_cents: 3000, active: false, stock: 7 });
    assert.deepEqual([changed.price_cents, changed.compare_at_price_cents, changed.active, changed.stock], [2500, 3000, false, 7]);
    assert.deepEqual((await products.get(product_id)).variants, [changed]);
    const error = await refused(products.update_variant(id, { stock: 8, label: 'x' }), 422, 'invalid_value');
    assert.equal(error.errors[0]?.pointer, '/stock');
    assert.deepEqual(await products.get_variant(id), changed);
    await refused(products.update_variant(999_999, { label: 'x' }), 404, 'not_found');
    const stale = { headers: { 'If-Match': `"variant-${id}-1"` } };
    await refused(products.update_variant(id, { label: 'x' }, stale), 412, 'precondition_failed');
  });

  test('PD2: deleting a variant is possible until it was ordered', async () => {
    const { products } = app().client;
    const free = await makeVariant(app());
    await products.delete_variant(free.id);
    await refused(products.get_variant(free.id), 404, 'not_found');
    assert.deepEqual((await products.get(free.product_id)).variants, []);
    const sold = await makeVariant(app());
    await makeOrder(app(), {}, [{ variant: sold, quantity: 1 }]);
    await refused(products.delete_variant(sold.id), 409, 'in_use');
    await stockAddsUp(app(), sold.id);
    assert.equal((await products.get_variant(sold.id)).stock, 99);
  });
});
