import fc from 'fast-check';
import { act, expectRecord, idOf } from './act.ts';
import { manner, NOBODY, nth, pick, step, stepsOf, type Variant } from './model.ts';

/** Products, their variants, and the stock. */

const slug = fc.constantFrom('shirt', 'cup', 'poster');
const name = fc.constantFrom('Shirt', 'Cup 🙂');
const sku = fc.constantFrom('A-1', 'A-2', 'B-1', 'B-2');
const STOCK_MAX = 1_000_000_000;

const createProduct = step({ slug, name, manner }, async ({ session, model: { products } }, { manner: how, ...given }) => {
  const body = { ...given, status: 'active' as const };
  const refusal = [...products.values()].some((one) => one.slug === body.slug) ? 'slug_taken' : null;
  const answer = await act(session, { id: 'products.create', path: '/products', body, manner: how, refusal });
  if (answer) products.set(idOf(answer), { ...body, ordered: false });
});

const changeProduct = step(
  {
    n: nth,
    body: fc.record(
      { slug, name, status: fc.constantFrom('draft' as const, 'active' as const, 'archived' as const) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    manner,
  },
  async ({ session, model: { products } }, { n, body, manner: how }) => {
    const [id, product] = pick(products, n) ?? [];
    if (id === undefined || product === undefined) return;
    const refusal = [...products].some(([other, one]) => other !== id && one.slug === body.slug) ? 'slug_taken' : null;
    const wanted = { ...product, ...body };
    const raises = JSON.stringify(wanted) !== JSON.stringify(product);
    if (await act(session, { id: 'products.update', path: `/products/${id}`, body, manner: how, refusal, raises }))
      products.set(id, wanted);
  },
);

const deleteProduct = step({ n: nth, manner }, async ({ session, model: { products, variants } }, { n, manner: how }) => {
  const [id = NOBODY, product] = pick(products, n) ?? [];
  const refusal = product ? null : 'not_found';
  if (!(await act(session, { id: 'products.delete', path: `/products/${id}`, manner: how, refusal })) || !product) return;
  // What was ordered is archived instead.
  if (product.ordered) product.status = 'archived';
  else {
    products.delete(id);
    for (const [variant, { product_id }] of variants) if (product_id === id) variants.delete(variant);
  }
  await expectRecord(session, `/products/${id}`, product.ordered ? { status: 'archived' } : null);
});

const createVariant = step(
  {
    n: nth,
    sku,
    price_cents: fc.constantFrom(0, 1, 1999),
    track_stock: fc.boolean(),
    allow_backorder: fc.boolean(),
    stock: fc.constantFrom(0, 3, 20, -2, STOCK_MAX),
    manner,
  },
  async ({ session, model: { products, variants } }, { n, manner: how, ...body }) => {
    const [product_id, product] = pick(products, n) ?? [];
    if (product_id === undefined || product === undefined) return;
    const refusal = skuTaken(variants, body.sku, null);
    const path = `/products/${product_id}/variants`;
    const answer = await act(session, { id: 'products.create_variant', path, body, manner: how, refusal, raises: true });
    if (answer) variants.set(idOf(answer), { product_id, ...body, active: true, ordered: false });
  },
);

const changeVariant = step(
  {
    n: nth,
    body: fc.record(
      { sku, price_cents: fc.constantFrom(1, 500), active: fc.boolean(), allow_backorder: fc.boolean() },
      { requiredKeys: [], noNullPrototype: true },
    ),
    manner,
  },
  async ({ session, model: { variants } }, { n, body, manner: how }) => {
    const [id, variant] = pick(variants, n) ?? [];
    if (id === undefined || variant === undefined) return;
    const wanted = { ...variant, ...body };
    const raises = JSON.stringify(wanted) !== JSON.stringify(variant);
    const refusal = skuTaken(variants, body.sku, id);
    if (await act(session, { id: 'products.update_variant', path: `/variants/${id}`, body, manner: how, refusal, raises }))
      variants.set(id, wanted);
    await expectRecord(session, `/variants/${id}`, shownVariant(variants.get(id) ?? variant));
  },
);

const deleteVariant = step({ n: nth, manner }, async ({ session, model: { variants } }, { n, manner: how }) => {
  const [id = NOBODY, variant] = pick(variants, n) ?? [];
  const refusal = !variant ? 'not_found' : variant.ordered ? 'in_use' : null;
  if (!(await act(session, { id: 'products.delete_variant', path: `/variants/${id}`, manner: how, refusal }))) return;
  variants.delete(id);
  await expectRecord(session, `/variants/${id}`, null);
});

const moveStock = step(
  {
    n: nth,
    delta: fc.oneof(fc.integer({ min: -5, max: 20 }), fc.constantFrom(0, STOCK_MAX, -STOCK_MAX)),
    force: fc.boolean(),
    manner,
  },
  async ({ session, model: { variants } }, { n, delta, force, manner: how }) => {
    const [id, variant] = pick(variants, n) ?? [];
    if (id === undefined || variant === undefined) return;
    const wanted = variant.stock + delta;
    const isBelow = delta < 0 && wanted < 0 && variant.track_stock && !variant.allow_backorder;
    const isShort = isBelow && !force ? 'insufficient_stock' : null;
    const refusal = delta === 0 ? 'zero_delta' : Math.abs(wanted) > STOCK_MAX ? 'out_of_range' : isShort;
    const body = { delta, reason: 'count', force };
    const path = `/variants/${id}/stock`;
    if (await act(session, { id: 'products.change_stock', path, body, manner: how, refusal, raises: true })) variant.stock = wanted;
  },
);

const setStock = step(
  { n: nth, stock: fc.constantFrom(0, 7, 30), off: fc.constantFrom(0, 0, 0, 1), manner },
  async ({ session, model: { variants } }, { n, stock, off, manner: how }) => {
    const [id, variant] = pick(variants, n) ?? [];
    if (id === undefined || variant === undefined) return;
    const body = { stock, expected_stock: Math.max(-STOCK_MAX, variant.stock - off) };
    const refusal = body.expected_stock === variant.stock ? null : 'stock_stale';
    const raises = stock !== variant.stock;
    const path = `/variants/${id}/stock`;
    if (await act(session, { id: 'products.change_stock', path, body, manner: how, refusal, raises })) variant.stock = stock;
  },
);

export const goodsSteps = stepsOf({
  make: [createProduct, createVariant, createVariant],
  change: [changeProduct, changeVariant, moveStock, moveStock, setStock],
  remove: [deleteProduct, deleteVariant],
});

function skuTaken(variants: ReadonlyMap<number, Variant>, wanted: string | undefined, id: number | null): string | null {
  return [...variants].some(([other, one]) => other !== id && one.sku === wanted) ? 'duplicate' : null;
}

export function shownVariant({ ordered: _, ...variant }: Variant) {
  return variant;
}
