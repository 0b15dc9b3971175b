import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type Product, STOCK_MAX, type StockChange, type StockMovement, type Variant } from '../../../contract/products.ts';
import { fold } from '../../../contract/values.ts';
import { rowVersion } from '../../db/row-version.ts';
import { actorName, type Ctx } from '../../verbs/context.ts';
import { listPage, NEWEST_FIRST } from '../../verbs/pages.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { notify } from '../notifications/domain.ts';
import { crossesLow, heldPart, ORDER_CANCELLED, perVariant, type StockWarning, type StockWish, stockWarnings } from './rules.ts';
import * as store from './store.ts';

export const recordVersions = {
  product: {
    version: rowVersion('products'),
    derived: ({ db }, { id }) => store.selectStocks(db, Number(id)),
  },
  variant: {
    version: rowVersion('variants'),
    derived: async ({ db }, { id }) => (await store.selectVariant(db, Number(id)))?.stock,
  },
} satisfies RecordVersions;

export function listProducts(ctx: Ctx, query: InputOf<Endpoints['products.list']>['query']) {
  const filter = { searchFolded: fold(query.search ?? ''), status: query.status };
  return listPage(query, NEWEST_FIRST, store.products(ctx, filter));
}

export async function getProduct(ctx: Ctx, id: number): Promise<Product> {
  const [product] = await store.selectProducts(ctx.db, [id]);
  if (!product) throw notFound('product', id);
  return product;
}

export function listVariants(ctx: Ctx, productId: number): Promise<Variant[]> {
  return store.selectVariantsOf(ctx.db, [productId]);
}

export async function getVariant(ctx: Ctx, id: number): Promise<Variant> {
  const variant = await store.selectVariant(ctx.db, id);
  if (!variant) throw notFound('variant', id);
  return variant;
}

export function listStockMovements(
  ctx: Ctx,
  variantId: number,
  query: { before_id?: number | undefined; limit: number },
): Promise<StockMovement[]> {
  return store.selectMovements(ctx.db, variantId, { beforeId: query.before_id, limit: query.limit });
}

/** By a delta, or to a value where the stock is as the caller believes (decisions.md §2, Stock). */
export async function changeStock(ctx: Ctx, variantId: number, change: StockChange): Promise<Variant> {
  const [variant] = await store.lockVariants(ctx, [variantId]);
  if (!variant) throw notFound('variant', variantId);
  if (change.expected_stock !== undefined && change.expected_stock !== variant.stock) {
    throw new Refusal('stock_stale', `The stock is ${variant.stock}, not ${change.expected_stock}.`, { extra: { stock: variant.stock } });
  }
  const stock = change.stock ?? variant.stock + (change.delta ?? 0);
  if (Math.abs(stock) > STOCK_MAX) throw refuseValue('out_of_range', '/delta', `the stock would be ${stock}`);
  const changed = stock !== variant.stock;
  if (changed) {
    const move = { variant_id: variantId, delta: stock - variant.stock };
    await moveStock(ctx, [variant], [move], { reason: change.reason ?? 'stock set', orderId: null });
  }
  ctx.audit({
    resource: { type: 'variant', id: variantId },
    changes: changed ? { stock: [variant.stock, stock] } : {},
    summary: `Variant ${variantId}: stock ${variant.stock} → ${stock}`,
  });
  return { ...variant, stock };
}

/** Reserves for an order; 409 with every shortage, and nothing is taken, where the stock does not cover it. */
export async function takeStock(ctx: Ctx, wishes: readonly StockWish[], source: StockSource): Promise<void> {
  await shiftStock(ctx, { taken: wishes, returned: [], override: false }, source);
}

export async function returnStock(ctx: Ctx, wishes: readonly StockWish[], source: StockSource): Promise<void> {
  await shiftStock(ctx, { taken: [], returned: wishes, override: false }, source);
}

/** `override`: takes what is not there, too. */
export type StockShift = { taken: readonly StockWish[]; returned: readonly StockWish[]; override: boolean };

/** Takes and gives back at once, no variant both, of an order only what it holds; 409 as `takeStock`, or the shortages that were overridden. */
export async function shiftStock(ctx: Ctx, { taken, returned, override }: StockShift, source: StockSource): Promise<StockWarning[]> {
  const wanted = perVariant(taken);
  const wished = perVariant(returned);
  const variants = await store.lockVariants(ctx, idsOf([...wanted, ...wished]));
  const back = source.orderId === null ? wished : heldPart(wished, await stockHeldBy(ctx, source.orderId, idsOf(wished)));
  const warnings = stockWarnings(wanted, variants);
  if (warnings.length > 0 && !override) throw insufficientStock(warnings);
  const moves = [
    ...wanted.map(({ variant_id, quantity }) => ({ variant_id, delta: -quantity })),
    ...back.map(({ variant_id, quantity }) => ({ variant_id, delta: quantity })),
  ];
  await moveStock(ctx, variants, moves, source);
  return warnings;
}

/** What the stock of this moment does not cover; nothing is held. */
export async function shortagesOf(ctx: Ctx, wishes: readonly StockWish[]): Promise<StockWarning[]> {
  const wanted = perVariant(wishes);
  return stockWarnings(wanted, await store.selectVariants(ctx.db, idsOf(wanted)));
}

export function insufficientStock(warnings: readonly StockWarning[]): Refusal {
  return new Refusal('insufficient_stock', `There is not enough of ${warnings.map(({ product_name }) => product_name).join(', ')}.`, {
    extra: { stock_warnings: warnings },
  });
}

/** First in a write to what hangs on a product. */
export async function lockProduct(ctx: Ctx, id: number): Promise<void> {
  if ((await store.lockProducts(ctx, [id])).length === 0) throw notFound('product', id);
}

/** Counts a product as changed. */
export function touchProduct(ctx: Ctx, id: number): Promise<void> {
  return store.touchProducts(ctx.db, [id], ctx.now);
}

/** Locks variants in the one order, then their products, before several writes that each take some of them. */
export async function holdVariants(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const productIds = new Set<number>();
  for (const some of partsOf(ids)) {
    for (const { product_id } of await store.lockVariants(ctx, some)) productIds.add(product_id);
  }
  for (const some of partsOf([...productIds])) await store.lockProducts(ctx, some);
}

function partsOf(ids: readonly number[]): number[][] {
  const sorted = ids.toSorted((a, b) => a - b);
  return Array.from({ length: Math.ceil(sorted.length / HELD_AT_ONCE) }, (_, n) => sorted.slice(n * HELD_AT_ONCE, (n + 1) * HELD_AT_ONCE));
}

/** Far below the values that one statement can carry. */
const HELD_AT_ONCE = 5000;

/**
 * How much of each variant an order still holds, by its movements since it was last cancelled and gave all back: goods that
 * went out and were edited off it before that are not among it.
 */
export async function stockHeldBy(ctx: Ctx, orderId: number, variantIds: readonly number[]): Promise<Map<number, number>> {
  if (variantIds.length === 0) return new Map();
  const sums = await store.sumMovementsOfOrder(ctx.db, orderId, variantIds, ORDER_CANCELLED);
  return new Map(sums.map(({ variant_id, delta }) => [variant_id, Math.max(0, -delta)]));
}

export type StockSource = { reason: string; orderId: number | null };

/** `variants` are locked and as they were before. An order moves tracked variants only; a correction any. */
async function moveStock(ctx: Ctx, variants: readonly Variant[], moves: readonly store.StockMove[], source: StockSource): Promise<void> {
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  const real = moves.filter(({ variant_id }) => source.orderId === null || byId.get(variant_id)?.track_stock === true);
  if (real.length === 0) return;
  const movement = { reason: source.reason, order_id: source.orderId, actor: actorName(ctx), at: ctx.now };
  const isEdit = source.orderId === null;
  await store.addStock(ctx.db, real, isEdit);
  await store.insertMovements(
    ctx.db,
    real.map((move) => ({ ...move, ...movement })),
  );
  const trackedDeltas = new Map<number, number>();
  for (const { variant_id, delta } of real) {
    const variant = byId.get(variant_id);
    if (!variant) continue;
    const soFar = trackedDeltas.get(variant.product_id) ?? 0;
    trackedDeltas.set(variant.product_id, soFar + (variant.track_stock ? delta : 0));
  }
  await tellLowStock(ctx, trackedDeltas, isEdit);
}

/** Marks the products as changed and tells of those that have just become low. */
async function tellLowStock(ctx: Ctx, deltas: ReadonlyMap<number, number>, isEdit: boolean): Promise<void> {
  const ids = [...deltas.keys()];
  const products = await store.lockProducts(ctx, ids);
  await (isEdit ? store.touchProducts : store.dateProducts)(ctx.db, ids, ctx.now);
  const sums = await store.sumTrackedStock(ctx.db, ids);
  const stocks = new Map(sums.map(({ product_id, stock }) => [product_id, stock]));
  const low = products.flatMap(({ id, name, low_stock_threshold }) => {
    const threshold = low_stock_threshold ?? ctx.settings.low_stock_threshold;
    const stock = stocks.get(id);
    if (stock === undefined || !crossesLow(stock - (deltas.get(id) ?? 0), stock, threshold)) return [];
    return [{ id, name, stock, threshold }];
  });
  await notify(
    ctx,
    low.map(({ id, name, stock }) => ({
      type: 'low_stock',
      title: `Low stock: ${name}`,
      message: `${stock} left of ${name}.`,
      metadata: { product_id: id, stock },
    })),
  );
  for (const { id, stock, threshold } of low) ctx.emit({ type: 'stock.low', data: { product_id: id, stock, threshold } });
}

function idsOf(wishes: readonly StockWish[]): number[] {
  return wishes.map(({ variant_id }) => variant_id);
}
