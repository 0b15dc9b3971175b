import { slugOf } from '../../../contract/texts.ts';
import type { NewRow } from '../../db/tables.ts';
import { sortKey } from '../../values/texts.ts';
import { publicIdOf } from '../public-ids.ts';
import { PRODUCTS, type SampleProduct, TAX_RATES } from './catalogue.ts';
import { randomOf } from './random.ts';

/** A variant with what orders need of it. Its stock changes while orders are made. */
export type StockedVariant = {
  id: number;
  productId: number;
  product: SampleProduct;
  sku: string;
  label: string;
  price: number;
  taxRateBps: number;
  isTracked: boolean;
  stock: number;
  /** How many pieces one delivery adds to the stock. */
  lot: number;
  /** How often it is bought, relative to other variants. */
  popularity: number;
};

export type ProductRows = { products: NewRow<'products'>[]; variants: NewRow<'variants'>[]; stocked: StockedVariant[] };

export type ProductIds = { products: readonly number[]; variants: readonly number[]; taxRates: Record<SampleProduct['tax'], number> };

export const VARIANT_COUNT = PRODUCTS.reduce((sum, { variants }) => sum + Object.keys(variants).length, 0);

const DAY_MS = 86_400_000;
const USUAL_ORDERS = 2000;

/** The factor for stocks and deliveries: how many times more orders than usual the shop has, at least 1. */
export function scaleOf(orders: number): number {
  return Math.max(1, orders / USUAL_ORDERS);
}

/** The rows of the catalogue's products and variants, and the variants as orders need them. */
export function productRows(seed: number, opensMs: number, ids: ProductIds, scale: number): ProductRows {
  const rows: ProductRows = { products: [], variants: [], stocked: [] };
  PRODUCTS.forEach((product, p) => {
    const random = randomOf(seed, 'product', p);
    const productId = ids.products[p] ?? 0;
    const created = new Date(opensMs - random.int(1, 60) * DAY_MS).toISOString();
    const isTracked = product.kind !== 'digital' && !product.subscription;
    const productPopularity = 0.3 + 1.7 * random.next() ** 2;
    rows.products.push(productRow(product, p, productId, ids.taxRates[product.tax], created));
    Object.entries(product.variants).forEach(([label, price], position) => {
      const id = ids.variants[rows.variants.length] ?? 0;
      const sku = `KQ-${String(p + 1).padStart(3, '0')}-${position + 1}`;
      const lot = Math.ceil((price > 10_000 ? 6 : price > 3000 ? 20 : 40) * scale);
      rows.variants.push({
        id,
        product_id: productId,
        sku,
        sku_folded: sortKey(sku),
        label,
        label_folded: sortKey(label),
        price_cents: price,
        compare_at_price_cents: product.wasCents ?? null,
        track_stock: isTracked ? 1 : 0,
        stock: isTracked ? lot : 0,
        allow_backorder: product.allowBackorder ? 1 : 0,
        weight_grams: product.weightGrams,
        position,
        active: product.status === 'archived' || (position > 0 && position === 3 && p % 5 === 0) ? 0 : 1,
      });
      rows.stocked.push({
        id,
        productId,
        product,
        sku,
        label,
        price,
        taxRateBps: TAX_RATES[product.tax].rate_bps,
        isTracked,
        stock: isTracked ? lot : 0,
        lot,
        popularity: (productPopularity / (position + 1)) * (price > 10_000 ? 0.3 : 1),
      });
    });
  });
  return rows;
}

function productRow(product: SampleProduct, index: number, id: number, taxRateId: number, created: string): NewRow<'products'> {
  const { subscription } = product;
  return {
    id,
    public_id: publicIdOf(`sample product ${index}`),
    slug: slugOf(product.name),
    name: product.name,
    name_folded: sortKey(product.name),
    description: product.text,
    status: product.status ?? 'active',
    kind: product.kind ?? 'physical',
    tax_rate_id: taxRateId,
    low_stock_threshold: index % 7 === 0 ? 10 : null,
    custom_fields: JSON.stringify(product.customField ? [{ field_name: product.customField, required: false }] : []),
    is_subscription: subscription ? 1 : 0,
    billing_interval: subscription?.interval ?? null,
    billing_interval_count: subscription?.count ?? 1,
    cancellation_policy: subscription?.policy ?? 'immediate',
    max_billing_cycles: subscription?.maxCycles ?? null,
    created_at: created,
    updated_at: created,
  };
}
