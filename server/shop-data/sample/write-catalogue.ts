import { fold } from '../../../contract/values.ts';
import type { Db, Store } from '../../db/open.ts';
import { reserveIds } from '../../db/reserve-ids.ts';
import { writeSettings } from '../../resources/settings/domain.ts';
import type { BatchWriter } from '../batch.ts';
import { INTERNAL_STATUSES, PRODUCTS, type SampleProduct, SHOP_NAME, TAX_RATES } from './catalogue.ts';
import { productRows, scaleOf, VARIANT_COUNT } from './products.ts';
import type { SampleIds } from './state.ts';
import { openingStock } from './stock.ts';

type Catalogue = { seed: number; opensMs: number; orders: number };

/** Settings, tax rates, internal statuses, products with their opening stock. */
export async function writeCatalogue(
  { dialect }: Store,
  tx: Db,
  writer: BatchWriter,
  { seed, opensMs, orders }: Catalogue,
): Promise<Omit<SampleIds, 'firstCustomer' | 'firstOrder'>> {
  await writeSettings(tx, { shop_name: SHOP_NAME, currency: 'EUR' });
  const rateId = async (tax: SampleProduct['tax']): Promise<number> => {
    const rate = TAX_RATES[tax];
    const row = { ...rate, name_folded: fold(rate.name) };
    const { id } = await tx.insertInto('tax_rates').values(row).returning('id').executeTakeFirstOrThrow();
    return id;
  };
  const ids = {
    taxRates: { standard: await rateId('standard'), reduced: await rateId('reduced'), zero: await rateId('zero') },
    statuses: await reserveIds(tx, dialect, 'order_statuses', INTERNAL_STATUSES.length),
    products: await reserveIds(tx, dialect, 'products', PRODUCTS.length),
    variants: await reserveIds(tx, dialect, 'variants', VARIANT_COUNT),
  };
  await writer.insert(
    tx,
    'order_statuses',
    INTERNAL_STATUSES.map(({ name, color }, i) => ({ id: ids.statuses[i] ?? 0, name, name_folded: fold(name), color, sort_order: i })),
  );
  const { products, variants, stocked } = productRows(seed, opensMs, ids, scaleOf(orders));
  await writer.insert(tx, 'products', products);
  await writer.insert(tx, 'variants', variants);
  await writer.insert(tx, 'stock_movements', openingStock(stocked, opensMs));
  return ids;
}
