import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { BulkProduct } from '../../../contract/product-bulk.ts';
import type { Product, ProductStatus, Variant } from '../../../contract/products.ts';
import { noteChanged, noteDeleted } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { isOfVariants, stockRefusal, variantAfter } from './bulk-rules.ts';
import { holdVariants, moveStock } from './domain.ts';
import * as store from './store.ts';

/** What is done to many products or variants in one transaction, with an outcome for each; one that is refused stays as it was (spec PD9). */

/** What a change would do to each of the products, as they are now. */
export async function previewBulk(ctx: Ctx, { ids, change }: BodyOf<Endpoints['products.preview_bulk']>) {
  const products = byId(await store.selectProducts(ctx.db, ids));
  const ordered = change.kind === 'delete' ? new Set(await store.selectOrdered(ctx.db, ids)) : new Set<number>();
  const rows = ids.map((id): BulkProduct => {
    const product = products.get(id);
    if (!product) return { id, name: null, status: null, status_after: null, variants: [], code: 'not_found' };
    const { name, status } = product;
    if (change.kind === 'status') return { id, name, status, status_after: change.status, variants: [] };
    if (change.kind === 'delete') return { id, name, status, status_after: ordered.has(id) ? 'archived' : null, variants: [] };
    const variants = isOfVariants(change) ? product.variants.map((variant) => variantAfter(variant, change)) : [];
    return { id, name, status, status_after: status, variants, ...(variants.length === 0 ? { code: 'no_variants' } : {}) };
  });
  return { products: rows };
}

export async function setStatuses(ctx: Ctx, { ids, status, from_status: from }: BodyOf<Endpoints['products.bulk_status']>) {
  await holdVariants(ctx, [], ids);
  const products = byId(await store.selectProducts(ctx.db, ids));
  const isMeant = (product: Product): boolean => from === undefined || product.status === from;
  const meant = [...products.values()].filter(isMeant);
  await changeStatus(ctx, meant, status);
  noteNothing(ctx, meant.length, `Products: none of ${ids.length} became ${status}`);
  const results = ids.map((id): { id: number; status: ProductStatus | null; code?: string } => {
    const product = products.get(id);
    if (!product) return { id, status: null, code: 'not_found' };
    return isMeant(product) ? { id, status } : { id, status: product.status, code: 'status_changed' };
  });
  return { results };
}

/** Deletes products, or archives those that were ever ordered, because their orders refer to them (spec PD3). */
export async function deleteProducts(ctx: Ctx, { ids }: BodyOf<Endpoints['products.bulk_delete']>) {
  // Variants are locked before products, as in every sale.
  await holdVariants(ctx, variantIdsOf(await store.selectProducts(ctx.db, ids)), ids);
  const products = byId(await store.selectProducts(ctx.db, ids));
  const ordered = new Set(await store.selectOrdered(ctx.db, [...products.keys()]));
  const gone = [...products.values()].filter(({ id }) => !ordered.has(id));
  await store.deleteVariants(ctx.db, variantIdsOf(gone));
  await store.deleteProducts(
    ctx.db,
    gone.map(({ id }) => id),
  );
  for (const { created_at: _, updated_at: __, ...values } of gone) noteDeleted(ctx, 'product', values, values.name);
  await changeStatus(
    ctx,
    [...products.values()].filter(({ id }) => ordered.has(id)),
    'archived',
  );
  noteNothing(ctx, products.size, `Products: none of ${ids.length} was deleted`);
  const results = ids.map((id): { id: number; outcome: 'deleted' | 'archived' | null; code?: string } =>
    products.has(id) ? { id, outcome: ordered.has(id) ? 'archived' : 'deleted' } : { id, outcome: null, code: 'not_found' },
  );
  return { results };
}

export async function setPrices(ctx: Ctx, { prices }: BodyOf<Endpoints['products.bulk_prices']>) {
  const variants = await lockVariants(
    ctx,
    prices.map(({ id }) => id),
  );
  const results: { id: number; price_cents: number | null; code?: string }[] = [];
  const changed: { id: number; price_cents: number }[] = [];
  for (const { id, price_cents, expected_price_cents: expected } of prices) {
    const variant = variants.get(id);
    if (!variant) results.push({ id, price_cents: null, code: 'not_found' });
    else if (expected !== undefined && expected !== variant.price_cents)
      results.push({ id, price_cents: variant.price_cents, code: 'price_changed' });
    else {
      results.push({ id, price_cents });
      const isOther = price_cents !== variant.price_cents;
      if (isOther) changed.push({ id, price_cents });
      noteChanged(ctx, 'variant', id, isOther ? { price_cents: [variant.price_cents, price_cents] } : {});
    }
  }
  await store.updatePrices(ctx.db, changed);
  await store.touchProducts(ctx.db, productIdsOf(variants, changed), ctx.now);
  noteNothing(ctx, results.filter(({ code }) => code === undefined).length, `Variants: no price of ${prices.length} was changed`);
  return { results };
}

export async function changeStocks(ctx: Ctx, { changes, reason, force }: BodyOf<Endpoints['products.bulk_stock']>) {
  const variants = await lockVariants(
    ctx,
    changes.map(({ id }) => id),
  );
  const results: { id: number; stock: number | null; code?: string }[] = [];
  const moves: store.StockMove[] = [];
  for (const change of changes) {
    const variant = variants.get(change.id);
    const { id } = change;
    if (!variant) {
      results.push({ id, stock: null, code: 'not_found' });
      continue;
    }
    const stock = change.stock ?? variant.stock + (change.delta ?? 0);
    const refusal = stockRefusal(variant, stock);
    const isStale = change.expected_stock !== undefined && change.expected_stock !== variant.stock;
    const code = isStale ? 'stock_stale' : force && refusal === 'insufficient_stock' ? null : refusal;
    if (code !== null) {
      results.push({ id, stock: variant.stock, code });
      continue;
    }
    results.push({ id, stock });
    if (stock !== variant.stock) moves.push({ variant_id: id, delta: stock - variant.stock });
    noteChanged(ctx, 'variant', id, stock === variant.stock ? {} : { stock: [variant.stock, stock] });
  }
  await moveStock(ctx, [...variants.values()], moves, { reason, orderId: null });
  noteNothing(ctx, results.filter(({ code }) => code === undefined).length, `Variants: no stock of ${changes.length} was changed`);
  return { results };
}

async function changeStatus(ctx: Ctx, products: readonly Product[], status: ProductStatus): Promise<void> {
  const changing = products.filter((product) => product.status !== status);
  await store.updateStatuses(
    ctx.db,
    changing.map(({ id }) => id),
    status,
    ctx.now,
  );
  for (const product of products) {
    noteChanged(ctx, 'product', product.id, product.status === status ? {} : { status: [product.status, status] });
  }
}

async function lockVariants(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Variant>> {
  await holdVariants(ctx, ids);
  return byId(await store.selectVariants(ctx.db, ids));
}

/** The audit entry of a write that changed nothing. */
function noteNothing(ctx: Ctx, done: number, summary: string): void {
  if (done === 0) ctx.audit({ resource: { type: 'product', id: null }, changes: {}, summary });
}

function byId<T extends { id: number }>(records: readonly T[]): Map<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}

function variantIdsOf(products: readonly Product[]): number[] {
  return products.flatMap(({ variants }) => variants.map(({ id }) => id));
}

function productIdsOf(variants: ReadonlyMap<number, Variant>, changed: readonly { id: number }[]): number[] {
  return [...new Set(changed.flatMap(({ id }) => variants.get(id)?.product_id ?? []))];
}
