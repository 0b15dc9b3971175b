import { type Product, STOCK_MAX, type StockChange, type StockMovement, type Variant } from '../../../contract/products.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { actorName, type Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { notify } from '../notifications/domain.ts';
import {
  crossesLow,
  heldPart,
  isOversold,
  ORDER_CANCELLED,
  perVariant,
  type StockWarning,
  type StockWish,
  stockWarnings,
} from './rules.ts';
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

/**
 * Changes the stock by a delta, or sets it to a value if the stock is as the caller expects (spec PD4). Below 0 it
 * falls only with `force`, as in an order.
 */
export async function changeStock(ctx: Ctx, variantId: number, change: StockChange): Promise<Variant> {
  const [variant] = await store.lockVariants(ctx, [variantId]);
  if (!variant) throw notFound('variant', variantId);
  if (change.expected_stock !== undefined && change.expected_stock !== variant.stock) {
    throw new Refusal('stock_stale', `The stock is ${variant.stock}, not the expected ${change.expected_stock}; nothing was changed.`, {
      extra: { stock: variant.stock },
    });
  }
  const stock = change.stock ?? variant.stock + (change.delta ?? 0);
  if (Math.abs(stock) > STOCK_MAX)
    throw refuseValue('out_of_range', '/delta', `the stock would be ${stock}; it must be from ${-STOCK_MAX} to ${STOCK_MAX}`);
  if (change.force !== true && isOversold(variant, stock)) throw await belowZero(ctx, variant, stock);
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

async function belowZero(ctx: Ctx, { id: variant_id, product_id, stock }: Variant, wanted: number): Promise<Refusal> {
  const [product] = await store.lockProducts(ctx, [product_id]);
  const name = product?.name ?? '';
  const warning = { product_id, variant_id, product_name: name, requested: stock - wanted, available: Math.max(0, stock) };
  const detail = `The stock of ${name} is ${stock} and would be ${wanted}, below 0. Send "force": true to change it all the same.`;
  return insufficientStock([warning], detail);
}

/** Takes stock for an order. If the stock does not cover it, refuses (409) with all shortages and takes nothing. */
export async function takeStock(ctx: Ctx, wishes: readonly StockWish[], source: StockSource): Promise<void> {
  await shiftStock(ctx, { taken: wishes, returned: [], override: false }, source);
}

export async function returnStock(ctx: Ctx, wishes: readonly StockWish[], source: StockSource): Promise<void> {
  await shiftStock(ctx, { taken: [], returned: wishes, override: false }, source);
}

/** `override`: takes more than there is, too. */
export type StockShift = { taken: readonly StockWish[]; returned: readonly StockWish[]; override: boolean };

/**
 * Takes and returns stock in one step; no variant may be in both lists. An order returns at most what it holds. Refuses like
 * `takeStock`; with `override`, returns the shortages instead.
 */
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

/** The shortages of the current stock; nothing is locked. */
export async function shortagesOf(ctx: Ctx, wishes: readonly StockWish[]): Promise<StockWarning[]> {
  const wanted = perVariant(wishes);
  return stockWarnings(wanted, await store.selectVariants(ctx.db, idsOf(wanted)));
}

export function insufficientStock(
  warnings: readonly StockWarning[],
  detail = `There is not enough of ${warnings.map(({ product_name }) => product_name).join(', ')}.`,
): Refusal {
  return new Refusal('insufficient_stock', detail, { extra: { stock_warnings: warnings } });
}

/** Every write to a part of a product begins with this lock. */
export async function lockProduct(ctx: Ctx, id: number): Promise<void> {
  if ((await store.lockProducts(ctx, [id])).length === 0) throw notFound('product', id);
}

/** Computes anew what lists are sorted by of products whose variants were put back. */
export function resortProducts(ctx: Ctx, ids: readonly number[]): Promise<void> {
  return store.updateSorted(ctx.db, ids);
}

/** Raises a product's row version. */
export function touchProduct(ctx: Ctx, id: number): Promise<void> {
  return store.touchProducts(ctx.db, [id], ctx.now);
}

/**
 * Locks variants in the order of their ids, then their products and further ones. Called before several writes in one transaction that each
 * lock some of them, so that concurrent writes do not deadlock.
 */
export async function holdVariants(ctx: Ctx, ids: readonly number[], furtherProducts: readonly number[] = []): Promise<void> {
  const productIds = new Set(furtherProducts);
  for (const some of partsOf(ids)) {
    for (const { product_id } of await store.lockVariants(ctx, some)) productIds.add(product_id);
  }
  for (const some of partsOf([...productIds])) await store.lockProducts(ctx, some);
}

function partsOf(ids: readonly number[]): number[][] {
  const sorted = ids.toSorted((a, b) => a - b);
  return Array.from({ length: Math.ceil(sorted.length / HELD_AT_ONCE) }, (_, n) => sorted.slice(n * HELD_AT_ONCE, (n + 1) * HELD_AT_ONCE));
}

/** How many ids one statement locks: far below the number of values that a statement may bind. */
const HELD_AT_ONCE = 5000;

/**
 * How much stock of each variant an order still holds, by its movements since its last cancellation, which returned
 * everything. Goods that were shipped and then edited off the order before that do not count.
 */
export async function stockHeldBy(ctx: Ctx, orderId: number, variantIds: readonly number[]): Promise<Map<number, number>> {
  if (variantIds.length === 0) return new Map();
  const sums = await store.sumMovementsOfOrder(ctx.db, orderId, variantIds, ORDER_CANCELLED);
  return new Map(sums.map(({ variant_id, delta }) => [variant_id, Math.max(0, -delta)]));
}

export type StockSource = { reason: string; orderId: number | null };

/**
 * Stores stock movements. `variants` are locked and have their stock from before. An order moves only variants whose stock is
 * tracked; a manual change moves any.
 */
export async function moveStock(
  ctx: Ctx,
  variants: readonly Variant[],
  moves: readonly store.StockMove[],
  source: StockSource,
): Promise<void> {
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

/** Updates the products' times and notifies of products whose stock has just become low. */
async function tellLowStock(ctx: Ctx, deltas: ReadonlyMap<number, number>, isEdit: boolean): Promise<void> {
  const ids = [...deltas.keys()];
  const products = await store.lockProducts(ctx, ids);
  await (isEdit ? store.touchProducts : store.updateProductTimes)(ctx.db, ids, ctx.now);
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
      metadata: { product_id: id, product_name: name, stock },
    })),
  );
  for (const { id, stock, threshold } of low) ctx.emit({ type: 'stock.low', data: { product_id: id, stock, threshold } });
}

function idsOf(wishes: readonly StockWish[]): number[] {
  return wishes.map(({ variant_id }) => variant_id);
}
