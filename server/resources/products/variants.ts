import type { Variant, VariantInput, VariantPatch } from '../../../contract/products.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted, type OnlyOf } from '../../verbs/changes.ts';
import { actorName, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import { tracksStock } from './rules.ts';
import * as store from './store.ts';

const DEFAULTS = { label: '', compare_at_price_cents: null, stock: 0, allow_backorder: false, weight_grams: 0, active: true };

/** Creates a variant. An initial stock is stored as its first movement. */
export async function createVariant(ctx: Ctx, productId: number, { sku, price_cents, ...rest }: VariantInput): Promise<Variant> {
  await store.lockProducts(ctx, [productId]);
  const [product] = await store.selectProducts(ctx.db, [productId]);
  if (!product) throw notFound('product', productId);
  const last = Math.max(0, ...product.variants.map(({ position }) => position));
  const automatic = {
    track_stock: tracksStock(product),
    position: product.variants.length === 0 ? 0 : Math.min(last + 1, Number.MAX_SAFE_INTEGER),
  };
  rest satisfies OnlyOf<typeof rest, Variant>;
  const values = { product_id: productId, sku, price_cents, ...DEFAULTS, ...automatic, ...given(rest) };
  const variant = await store.insertVariant(ctx.db, values);
  if (!variant) throw skuTaken(sku);
  if (variant.stock !== 0) {
    const movement = { variant_id: variant.id, delta: variant.stock, order_id: null, actor: actorName(ctx), at: ctx.now };
    await store.insertMovements(ctx.db, [{ ...movement, reason: 'initial stock' }]);
  }
  await store.touchProducts(ctx.db, [productId], ctx.now);
  noteCreated(ctx, 'variant', variant, sku);
  return variant;
}

export async function updateVariant(ctx: Ctx, id: number, { stock, ...patch }: VariantPatch): Promise<Variant> {
  const variant = await lock(ctx, id);
  if (stock !== undefined && stock !== variant.stock) {
    throw refuseValue('invalid_value', '/stock', `the stock is ${variant.stock}; only POST /variants/${id}/stock changes it`);
  }
  const wanted = given(patch);
  if (wanted.sku !== undefined && (await store.isSkuTaken(ctx.db, wanted.sku, id))) throw skuTaken(wanted.sku);
  const changes = changesBetween(variant, wanted);
  if (Object.keys(changes).length > 0) {
    await store.updateVariant(ctx.db, id, wanted);
    await store.lockProducts(ctx, [variant.product_id]);
    await store.touchProducts(ctx.db, [variant.product_id], ctx.now);
  }
  noteChanged(ctx, 'variant', id, changes);
  return { ...variant, ...wanted };
}

export async function deleteVariant(ctx: Ctx, id: number): Promise<undefined> {
  const variant = await lock(ctx, id);
  if (await store.wasOrdered(ctx.db, { variantId: id })) {
    throw new Refusal(
      'in_use',
      `"${variant.sku}" was ordered, so it cannot be deleted; set its "active" to false instead, then no new order can take it.`,
    );
  }
  await store.deleteVariants(ctx.db, [id]);
  await store.lockProducts(ctx, [variant.product_id]);
  await store.touchProducts(ctx.db, [variant.product_id], ctx.now);
  noteDeleted(ctx, 'variant', variant, variant.sku);
}

async function lock(ctx: Ctx, id: number): Promise<Variant> {
  const [variant] = await store.lockVariants(ctx, [id]);
  if (!variant) throw notFound('variant', id);
  return variant;
}

function skuTaken(sku: string): Refusal {
  return refuseValue('duplicate', '/sku', `there is already a variant with the SKU "${sku}"`);
}
