import type { BulkVariant, ProductBulkChange } from '../../../contract/product-bulk.ts';
import { STOCK_MAX, type Variant } from '../../../contract/products.ts';
import { CentsInput } from '../../../contract/values.ts';
import { isOversold } from './rules.ts';

/** A change of the price or the stock. */
export type VariantBulkChange = Exclude<ProductBulkChange, { kind: 'status' | 'delete' }>;

export const isOfVariants = (change: ProductBulkChange): change is VariantBulkChange =>
  change.kind !== 'status' && change.kind !== 'delete';

/** What a change would make of a variant. */
export function variantAfter(variant: Variant, change: VariantBulkChange): BulkVariant {
  const { id, sku, label } = variant;
  const isPrice = change.kind.startsWith('price');
  const before = isPrice ? variant.price_cents : variant.stock;
  const after = valueAfter(before, change);
  const code = isPrice ? priceRefusal(after) : variant.track_stock ? stockRefusal(variant, after) : 'not_counted';
  return code === null ? { id, sku, label, before, after } : { id, sku, label, before, after: null, code };
}

function valueAfter(before: number, change: VariantBulkChange): number {
  switch (change.kind) {
    case 'price_set':
      return change.price_cents;
    case 'price_amount':
      return before + change.delta_cents;
    case 'price_percent':
      return percentMore(before, change.percent_bps, change.round_to_cents);
    case 'stock_set':
      return change.stock;
    case 'stock_add':
      return before + change.delta;
  }
}

/** A price changed by basis points, as the nearest multiple of `step`; halfway, the higher one. */
export function percentMore(price: number, bps: number, step: number): number {
  const [whole, unit] = [BigInt(price) * BigInt(10_000 + bps), 10_000n * BigInt(step)];
  return Number(((2n * whole + unit) / (2n * unit)) * BigInt(step));
}

function priceRefusal(price: number): string | null {
  return CentsInput.safeParse(price).success ? null : 'out_of_range';
}

/** Why a variant cannot have this stock; null if it can. */
export function stockRefusal(variant: Variant, stock: number): string | null {
  if (Math.abs(stock) > STOCK_MAX) return 'out_of_range';
  return isOversold(variant, stock) ? 'insufficient_stock' : null;
}
