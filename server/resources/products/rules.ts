import type { Product, Variant } from '../../../contract/products.ts';

/** What somebody wants of a variant. */
export type StockWish = { product_id: number; variant_id: number; product_name: string; quantity: number };

/** A wish that the stock does not meet, as errors and previews show it (decisions.md ED4). */
export type StockWarning = { product_id: number; variant_id: number; product_name: string; requested: number; available: number };

/** Why a cancelled order gives back all that it holds. */
export const ORDER_CANCELLED = 'order cancelled';

/** Goods that come back, at most what the order holds of each: none of a variant whose stock was not counted when it was ordered. */
export function heldPart(returned: readonly StockWish[], held: ReadonlyMap<number, number>): StockWish[] {
  return returned
    .map((wish) => ({ ...wish, quantity: Math.min(wish.quantity, held.get(wish.variant_id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

type Stocked = Pick<Variant, 'id' | 'track_stock' | 'allow_backorder' | 'stock'>;

/** The wishes, one a variant, that its stock does not cover. */
export function stockWarnings(wishes: readonly StockWish[], variants: readonly Stocked[]): StockWarning[] {
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  return perVariant(wishes).flatMap(({ product_id, variant_id, product_name, quantity }) => {
    const variant = byId.get(variant_id);
    if (!variant || !isLimited(variant) || variant.stock >= quantity) return [];
    return [{ product_id, variant_id, product_name, requested: quantity, available: Math.max(0, variant.stock) }];
  });
}

/** Several wishes for one variant as one; the first names the product. */
export function perVariant(wishes: readonly StockWish[]): StockWish[] {
  const merged = new Map<number, StockWish>();
  for (const wish of wishes) {
    const known = merged.get(wish.variant_id);
    merged.set(wish.variant_id, known ? { ...known, quantity: known.quantity + wish.quantity } : wish);
  }
  return [...merged.values()].filter(({ quantity }) => quantity > 0);
}

/** Whether a change takes the stock over the threshold downwards: that is told once (decisions.md PH10). */
export function crossesLow(before: number, after: number, threshold: number): boolean {
  return before > threshold && after <= threshold;
}

function isLimited({ track_stock, allow_backorder }: Stocked): boolean {
  return track_stock && !allow_backorder;
}

/** Whether the stock of its variants is counted, unless they say so themselves. */
export function tracksStock({ kind, is_subscription }: Pick<Product, 'kind' | 'is_subscription'>): boolean {
  return kind === 'physical' && !is_subscription;
}

/** How often a product is billed: as it is sent, else as it was, else monthly; `missing` where a subscription would have none. */
export function billingIntervalOf(
  isSubscription: boolean,
  sent: Product['billing_interval'] | undefined,
  known: Product['billing_interval'],
): Product['billing_interval'] | 'missing' {
  if (sent === undefined) return known ?? (isSubscription ? 'month' : null);
  return isSubscription && sent === null ? 'missing' : sent;
}

/** Whether a product has files that no buyer would ever get. */
export function hasIdleFiles({ kind, file_ids }: Pick<Product, 'kind' | 'file_ids'>): boolean {
  return kind !== 'digital' && file_ids.length > 0;
}
