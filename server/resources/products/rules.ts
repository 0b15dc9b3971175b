import type { Product, Variant } from '../../../contract/products.ts';

/** A quantity of a variant that is to be taken or returned. */
export type StockWish = { product_id: number; variant_id: number; product_name: string; quantity: number };

/** A wish that exceeds the stock, as errors and previews show it (spec ED4). */
export type StockWarning = { product_id: number; variant_id: number; product_name: string; requested: number; available: number };

/** The reason stored with the movements by which a cancelled order returns all that it holds. */
export const ORDER_CANCELLED = 'order cancelled';

/**
 * Limits returned goods to what the order holds of each variant. An order holds nothing of a variant whose stock was not
 * tracked when it was ordered.
 */
export function heldPart(returned: readonly StockWish[], held: ReadonlyMap<number, number>): StockWish[] {
  return returned
    .map((wish) => ({ ...wish, quantity: Math.min(wish.quantity, held.get(wish.variant_id) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

type Stocked = Pick<Variant, 'id' | 'track_stock' | 'allow_backorder' | 'stock'>;

/** The wishes that the stock does not cover, one for each variant. */
export function stockWarnings(wishes: readonly StockWish[], variants: readonly Stocked[]): StockWarning[] {
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  return perVariant(wishes).flatMap(({ product_id, variant_id, product_name, quantity }) => {
    const variant = byId.get(variant_id);
    if (!variant || !isLimited(variant) || variant.stock >= quantity) return [];
    return [{ product_id, variant_id, product_name, requested: quantity, available: Math.max(0, variant.stock) }];
  });
}

/** Whether a change lowers the stock below 0 where no more can be sold than there is; a stock below 0 may rise. */
export function isOversold(variant: Stocked, wanted: number): boolean {
  return isLimited(variant) && wanted < 0 && wanted < variant.stock;
}

/** Merges wishes for the same variant; the product's name is taken from the first. */
export function perVariant(wishes: readonly StockWish[]): StockWish[] {
  const merged = new Map<number, StockWish>();
  for (const wish of wishes) {
    const known = merged.get(wish.variant_id);
    merged.set(wish.variant_id, known ? { ...known, quantity: known.quantity + wish.quantity } : wish);
  }
  return [...merged.values()].filter(({ quantity }) => quantity > 0);
}

/** Whether a change brings the stock down to the threshold or below it; the admins are notified only then (spec PH10). */
export function crossesLow(before: number, after: number, threshold: number): boolean {
  return before > threshold && after <= threshold;
}

function isLimited({ track_stock, allow_backorder }: Stocked): boolean {
  return track_stock && !allow_backorder;
}

/** Whether the stock of a product's variants is tracked by default. */
export function tracksStock({ kind, is_subscription }: Pick<Product, 'kind' | 'is_subscription'>): boolean {
  return kind === 'physical' && !is_subscription;
}

/**
 * A product's billing interval: the given one, else the stored one, else a month for a subscription. `missing` if a
 * subscription would have none.
 */
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
