import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductBulkChange } from '../../contract/product-bulk.ts';
import { percentMore } from '../../server/resources/products/bulk-rules.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { newsOf } from '../helpers/news.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, makeTask } from '../helpers/runs.ts';

test('PD10: per cent are rounded to the nearest multiple, halfway to the higher one', () => {
  for (const [price, bps, step, after] of [
    [1005, -1000, 1, 905],
    [1995, -1000, 1, 1796],
    [333, 1000, 1, 366],
    [1999, 1000, 10, 2200],
    [1249, 0, 50, 1250],
    [1224, 0, 50, 1200],
    [1225, 0, 50, 1250],
    [999, -10_000, 1, 0],
    [1_000_000_000_000, 100_000, 1, 11_000_000_000_000],
  ] as const)
    assert.equal(percentMore(price, bps, step), after, `${price} ${bps} ${step}`);
});

onBothStores('what is done with many products', (app) => {
  const products = () => app().client.products;
  const variantOf = (id: number) => products().get_variant(id);
  const preview = async (ids: number[], change: ProductBulkChange) => (await products().preview_bulk({ ids, change })).products;

  test('PD9: each product gets the status on its own; who has changed meanwhile and who is gone is told', async () => {
    const [draft, live, gone] = [await makeProduct(app(), { status: 'draft' }), await makeProduct(app()), 999_999];
    assert.deepEqual(
      (await preview([live.id, gone, draft.id], { kind: 'status', status: 'archived' })).map(({ variants: _, ...row }) => row),
      [
        { id: live.id, name: live.name, status: 'active', status_after: 'archived' },
        { id: gone, name: null, status: null, status_after: null, code: 'not_found' },
        { id: draft.id, name: draft.name, status: 'draft', status_after: 'archived' },
      ],
    );
    assert.deepEqual(await products().bulk_status({ ids: [live.id, gone, draft.id], status: 'archived', from_status: 'draft' }), {
      results: [
        { id: live.id, status: 'active', code: 'status_changed' },
        { id: gone, status: null, code: 'not_found' },
        { id: draft.id, status: 'archived' },
      ],
    });
    assert.deepEqual([(await products().get(live.id)).status, (await products().get(draft.id)).status], ['active', 'archived']);
    const { data } = await app().client.audit_log.list({ action: 'products.bulk_status' });
    assert.deepEqual([data[0]?.resource.id, data[0]?.changes], [draft.id, { status: ['draft', 'archived'] }]);
    assert.deepEqual(await products().bulk_status({ ids: [], status: 'draft' }), { results: [] });
    await refused(products().bulk_status({ ids: [1, 2, 1], status: 'draft' }), 422, 'duplicate');
    const many = Array.from({ length: 251 }, (_, n) => 1_000_000 + n);
    await refused(products().bulk_status({ ids: many, status: 'draft' }), 422, 'too_long');
  });

  test('PD9, PD3: many are deleted; what was ordered is archived, as the preview said', async () => {
    const sold = await makeVariant(app());
    await makeOrder(app(), {}, [{ variant: sold, quantity: 1 }]);
    const fresh = await makeVariant(app());
    const ids = [fresh.product_id, 999_999, sold.product_id];
    assert.deepEqual(
      (await preview(ids, { kind: 'delete' })).map(({ id, status_after, code }) => [id, status_after, code]),
      [
        [fresh.product_id, null, undefined],
        [999_999, null, 'not_found'],
        [sold.product_id, 'archived', undefined],
      ],
    );
    assert.deepEqual(await products().bulk_delete({ ids }), {
      results: [
        { id: fresh.product_id, outcome: 'deleted' },
        { id: 999_999, outcome: null, code: 'not_found' },
        { id: sold.product_id, outcome: 'archived' },
      ],
    });
    await refused(products().get(fresh.product_id), 404, 'not_found');
    await refused(variantOf(fresh.id), 404, 'not_found');
    assert.equal((await products().get(sold.product_id)).status, 'archived');
    assert.deepEqual((await products().bulk_delete({ ids: [999_999] })).results, [{ id: 999_999, outcome: null, code: 'not_found' }]);
  });

  test('PD10: a change of prices is told variant by variant, and what it refuses', async () => {
    const { id } = await makeProduct(app());
    const [small, large] = [
      await makeVariant(app(), { product_id: id, price_cents: 333, label: 'small' }),
      await makeVariant(app(), { product_id: id, price_cents: 1999 }),
    ];
    const empty = await makeProduct(app());
    const after = async (change: ProductBulkChange) =>
      (await preview([id], change)).flatMap(({ variants }) => variants.map((one) => [one.before, one.after, one.code]));
    const percent = { kind: 'price_percent', percent_bps: 1000 } as const;
    assert.deepEqual(await after({ ...percent, round_to_cents: 1 }), [
      [333, 366, undefined],
      [1999, 2199, undefined],
    ]);
    assert.deepEqual(await after({ ...percent, round_to_cents: 50 }), [
      [333, 350, undefined],
      [1999, 2200, undefined],
    ]);
    assert.deepEqual(await after({ kind: 'price_amount', delta_cents: -500 }), [
      [333, null, 'out_of_range'],
      [1999, 1499, undefined],
    ]);
    assert.deepEqual(await after({ kind: 'price_set', price_cents: 1999 }), [
      [333, 1999, undefined],
      [1999, 1999, undefined],
    ]);
    const [row] = await preview([empty.id], { kind: 'price_set', price_cents: 1 });
    assert.deepEqual([row?.code, row?.variants], ['no_variants', []]);
    const [named] = (await preview([id], { kind: 'price_set', price_cents: 1 }))[0]?.variants ?? [];
    assert.deepEqual(named, { id: small.id, sku: small.sku, label: 'small', before: 333, after: 1 });
    assert.deepEqual([(await variantOf(small.id)).price_cents, (await variantOf(large.id)).price_cents], [333, 1999]);
    const body = { ids: [id], change: { kind: 'price_percent', percent_bps: -10_001 } };
    assert.equal((await app().request({ method: 'POST', path: '/admin/api/products/bulk/preview', body })).status, 422);
  });

  test('PD9: prices are set where they are as expected; each product changes once', async () => {
    const one = await makeVariant(app(), { price_cents: 100 });
    const other = await makeVariant(app(), { product_id: one.product_id, price_cents: 200 });
    const same = await makeVariant(app(), { price_cents: 300 });
    const { updated_at } = await products().get(same.product_id);
    const prices = [
      { id: other.id, price_cents: 250, expected_price_cents: 200 },
      { id: 999_999, price_cents: 1 },
      { id: one.id, price_cents: 150, expected_price_cents: 101 },
      { id: same.id, price_cents: 300 },
    ];
    assert.deepEqual((await products().bulk_prices({ prices })).results, [
      { id: other.id, price_cents: 250 },
      { id: 999_999, price_cents: null, code: 'not_found' },
      { id: one.id, price_cents: 100, code: 'price_changed' },
      { id: same.id, price_cents: 300 },
    ]);
    assert.deepEqual([(await variantOf(one.id)).price_cents, (await variantOf(other.id)).price_cents], [100, 250]);
    assert.equal((await products().get(same.product_id)).updated_at, updated_at);
    const { data } = await app().client.audit_log.list({ action: 'products.bulk_prices' });
    assert.deepEqual(
      data.map(({ resource, changes }) => [resource.type, resource.id, changes]),
      [
        ['variant', same.id, {}],
        ['variant', other.id, { price_cents: [200, 250] }],
      ],
    );
    await refused(products().bulk_prices({ prices: [prices[0], prices[0]].flatMap((one) => one ?? []) }), 422, 'duplicate');
    assert.deepEqual((await products().bulk_prices({ prices: [] })).results, []);
  });

  test('PD9, PD10, PD4: stock is added or set as for one variant, with its movement; uncounted stock is left alone', async () => {
    const counted = await makeVariant(app(), { stock: 3 });
    const back = await makeVariant(app(), { product_id: counted.product_id, stock: 2, allow_backorder: true });
    const loose = await makeVariant(app(), { product_id: counted.product_id, track_stock: false, stock: 0 });
    const after = async (change: ProductBulkChange) =>
      (await preview([counted.product_id], change)).flatMap(({ variants }) => variants.map((one) => [one.before, one.after, one.code]));
    assert.deepEqual(await after({ kind: 'stock_add', delta: -5 }), [
      [3, null, 'insufficient_stock'],
      [2, -3, undefined],
      [0, null, 'not_counted'],
    ]);
    assert.deepEqual(await after({ kind: 'stock_set', stock: 12 }), [
      [3, 12, undefined],
      [2, 12, undefined],
      [0, null, 'not_counted'],
    ]);
    const changes = [
      { id: counted.id, delta: -5 },
      { id: back.id, stock: 12, expected_stock: 2 },
      { id: loose.id, stock: 5, expected_stock: 1 },
      { id: 999_999, delta: 1 },
    ];
    assert.deepEqual((await products().bulk_stock({ changes, reason: 'stocktaking' })).results, [
      { id: counted.id, stock: 3, code: 'insufficient_stock' },
      { id: back.id, stock: 12 },
      { id: loose.id, stock: 0, code: 'stock_stale' },
      { id: 999_999, stock: null, code: 'not_found' },
    ]);
    assert.deepEqual((await products().bulk_stock({ changes: [{ id: counted.id, delta: -5 }], reason: 'lost', force: true })).results, [
      { id: counted.id, stock: -2 },
    ]);
    const [movement] = await products().list_stock_movements(back.id);
    assert.deepEqual([movement?.delta, movement?.reason, (await variantOf(back.id)).stock], [10, 'stocktaking', 12]);
    for (const wrong of [{ stock: 1 }, { expected_stock: 1 }, {}, { delta: 1, stock: 1, expected_stock: 1 }]) {
      const body = { changes: [{ id: back.id, ...wrong }], reason: 'wrong' };
      const { status, text } = await app().request({ method: 'POST', path: '/admin/api/variants/bulk-stock', body });
      assert.equal(status, 422, text);
    }
    const far = await products().bulk_stock({ changes: [{ id: back.id, delta: 1_000_000_000 }], reason: 'typo' });
    assert.deepEqual(far.results, [{ id: back.id, stock: 12, code: 'out_of_range' }]);
  });

  test('PD9: what becomes low by it is told once, for the product as a whole', async () => {
    const one = await makeVariant(app(), { stock: 20 });
    const other = await makeVariant(app(), { product_id: one.product_id, stock: 20 });
    await products().update(one.product_id, { low_stock_threshold: 8 });
    const changes = [one, other].map(({ id }) => ({ id, stock: 4, expected_stock: 20 }));
    await products().bulk_stock({ changes, reason: 'counted' });
    const told = (await newsOf(app(), 'low_stock')).filter(({ metadata }) => metadata?.['product_id'] === one.product_id);
    assert.deepEqual(
      told.map(({ metadata }) => metadata?.['stock']),
      [8],
    );
  });

  test('PD9: a second try with the same key has no second effect', async () => {
    const { id } = await makeVariant(app(), { stock: 10 });
    const once = { headers: { 'idempotency-key': '"bulk-stock-once"' } };
    const add = () => products().bulk_stock({ changes: [{ id, delta: 5 }], reason: 'delivery' }, once);
    assert.deepEqual(await add(), await add());
    assert.equal((await variantOf(id)).stock, 15);
  });

  test('PD9, DR1: a dry run of a task carries it out, and nothing stays', async () => {
    const variant = await makeVariant(app(), { stock: 10, price_cents: 100 });
    const id = variant.product_id;
    const taskId = await makeTask(app(), { permissions: ['admin_api.products.write'] });
    const run = await claimedRun(app(), { dry_run: true }, taskId);
    await run.call('POST', '/products/bulk-status', { ids: [id], status: 'draft' });
    await run.call('POST', '/variants/bulk-prices', { prices: [{ id: variant.id, price_cents: 90 }] });
    await run.call('POST', '/variants/bulk-stock', { changes: [{ id: variant.id, delta: 5 }], reason: 'delivery' });
    const change = { kind: 'price_amount', delta_cents: 10 };
    const seen = await run.call('POST', '/products/bulk/preview', { ids: [id], change });
    assert.match(seen.text, /"before":90,"after":100/);
    assert.match((await run.call('GET', `/products/${id}`)).text, /"status":"draft".*"price_cents":90.*"stock":15/);
    const stored = await products().get(id);
    assert.deepEqual([stored.status, stored.variants[0]?.price_cents, stored.variants[0]?.stock], ['active', 100, 10]);
  });

  test('PD9: simultaneous bulk changes of the same variants, and orders of them, lose no stock', async () => {
    const variants = [await makeVariant(app(), { stock: 50 }), await makeVariant(app(), { stock: 50 })];
    const rounds = Array.from({ length: 6 }, (_, n) => {
      const mine = n % 2 ? variants : variants.toReversed();
      return [
        products().bulk_stock({ changes: mine.map(({ id }) => ({ id, delta: 1 })), reason: 'delivery' }),
        products().bulk_prices({ prices: mine.map(({ id }) => ({ id, price_cents: 100 + n })) }),
        products().bulk_status({ ids: mine.map(({ product_id }) => product_id), status: n % 2 ? 'active' : 'draft' }),
        makeOrder(
          app(),
          {},
          mine.map((variant) => ({ variant, quantity: 1 })),
        ),
      ];
    });
    await Promise.all(rounds.flat());
    assert.deepEqual(await Promise.all(variants.map(async ({ id }) => (await variantOf(id)).stock)), [50, 50]);
  });
});
