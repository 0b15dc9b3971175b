/**
 * Reports low stock: every active product whose tracked stock is at or below its own threshold (`threshold` where it has none),
 * the lowest stock first. The task only reads.
 */
import { log, parameters, progress, result } from 'backroom';
import type { Script } from './low-stock-report.permissions.ts';

declare const admin: Script['admin'];

type Low = { product_id: number; name: string; stock: number; threshold: number; skus_sold_out: string[] };

export default async function main() {
  const low: Low[] = [];
  let checked = 0;
  let cursor: string | undefined;
  do {
    const page = await admin.products.list({ status: 'active', per_page: 100, cursor });
    for (const product of page.data) {
      const variants = product.variants.filter(({ active, track_stock }) => active && track_stock);
      const stock = variants.reduce((sum, variant) => sum + variant.stock, 0);
      const threshold = product.low_stock_threshold ?? Number(parameters.threshold);
      if (variants.length === 0 || stock > threshold) continue;
      const soldOut = variants.filter((variant) => variant.stock <= 0).map(({ sku }) => sku);
      low.push({ product_id: product.id, name: product.name, stock, threshold, skus_sold_out: soldOut.slice(0, 10) });
    }
    checked += page.data.length;
    progress(checked, page.total, 'products checked');
    cursor = page.next_cursor ?? undefined;
  } while (cursor);

  low.sort((a, b) => a.stock - b.stock || a.product_id - b.product_id);
  for (const { name, ...details } of low) result(details.stock <= 0 ? 'sold out' : 'low', name, details);
  const soldOut = low.filter(({ stock }) => stock <= 0).length;
  log(`${low.length} of ${checked} active products are low, ${soldOut} of them sold out`);
  return { checked, low: low.length, sold_out: soldOut, products: low.slice(0, 50) };
}
