import type { Db, Store } from '../../db/open.ts';
import { reserveIds } from '../../db/queries/reserve-ids.ts';
import type { Database } from '../../db/tables.ts';
import { writeSettings } from '../../resources/settings/domain.ts';
import { sortKey } from '../../values/texts.ts';
import type { BatchWriter } from '../batch-store.ts';
import { INTERNAL_STATUSES, PRODUCTS, SHOP_NAME, TAX_RATES } from './catalogue.ts';
import { DISCOUNT_GROUPS, PICKUP_LOCATIONS, SHIPPING_METHODS, sampleVouchers, type VoucherName, voucherNames } from './commerce.ts';
import { writePages } from './pages.ts';
import { productRows, scaleOf, VARIANT_COUNT } from './products.ts';
import type { SampleIds } from './state.ts';
import { openingStock } from './stock.ts';

type Catalogue = { seed: number; opensMs: number; nowMs: number; orders: number };
type CatalogueIds = Omit<SampleIds, 'firstCustomer' | 'firstOrder'>;

/** Writes the settings, the terms of sale, the products with their opening stock, and the pages. */
export async function writeCatalogue({ dialect }: Store, tx: Db, writer: BatchWriter, catalogue: Catalogue): Promise<CatalogueIds> {
  const { seed, opensMs, orders } = catalogue;
  await writeSettings(tx, { shop_name: SHOP_NAME });
  const reserve = (table: keyof Database, count: number): Promise<number[]> => reserveIds({ db: tx, dialect }, table, count);
  const [standard = 0, reduced = 0, zero = 0] = await reserve('tax_rates', 3);
  const vouchers = await reserve('vouchers', voucherNames.length);
  const voucherId = (name: VoucherName): number => vouchers[voucherNames.indexOf(name)] ?? 0;
  const ids: CatalogueIds = {
    taxRates: { standard, reduced, zero },
    statuses: await reserve('order_statuses', INTERNAL_STATUSES.length),
    products: await reserve('products', PRODUCTS.length),
    variants: await reserve('variants', VARIANT_COUNT),
    pickupLocations: await reserve('pickup_locations', PICKUP_LOCATIONS.length),
    discountGroups: await reserve('discount_groups', DISCOUNT_GROUPS.length),
    vouchers: {
      launch: voucherId('launch'),
      welcome: voucherId('welcome'),
      winter: voucherId('winter'),
      thanks: voucherId('thanks'),
      shipping: voucherId('shipping'),
      coming: voucherId('coming'),
      stopped: voucherId('stopped'),
    },
  };
  await writeTerms(tx, writer, ids, catalogue);
  const { products, variants, stocked } = productRows(seed, opensMs, ids, scaleOf(orders));
  await writer.insert(tx, 'products', products);
  await writer.insert(tx, 'variants', variants);
  await writer.insert(tx, 'stock_movements', openingStock(stocked, opensMs));
  await writePages(dialect, tx, writer, new Date(opensMs).toISOString());
  return ids;
}

async function writeTerms(tx: Db, writer: BatchWriter, ids: CatalogueIds, { opensMs, nowMs }: Catalogue): Promise<void> {
  const at = new Date(opensMs).toISOString();
  const named = <T extends { name: string }>(row: T) => ({ ...row, name_folded: sortKey(row.name) });
  const rates = [
    { id: ids.taxRates.standard, ...TAX_RATES.standard },
    { id: ids.taxRates.reduced, ...TAX_RATES.reduced },
    { id: ids.taxRates.zero, ...TAX_RATES.zero },
  ];
  await writer.insert(tx, 'tax_rates', rates.map(named));
  const statuses = INTERNAL_STATUSES.map((status, i) => named({ id: ids.statuses[i] ?? 0, ...status, sort_order: i }));
  await writer.insert(tx, 'order_statuses', statuses);
  const methods = Object.values(SHIPPING_METHODS).map((method, i) =>
    named({ ...method, countries: JSON.stringify(method.countries), tax_rate_id: ids.taxRates.standard, sort_order: i }),
  );
  await writer.insert(tx, 'shipping_methods', methods);
  const locations = PICKUP_LOCATIONS.map((location, i) =>
    named({ id: ids.pickupLocations[i] ?? 0, ...location, line2: '', country: 'IE', sort_order: i }),
  );
  await writer.insert(tx, 'pickup_locations', locations);
  const groups = DISCOUNT_GROUPS.map((group, i) => named({ id: ids.discountGroups[i] ?? 0, ...group, created_at: at, updated_at: at }));
  await writer.insert(tx, 'discount_groups', groups);
  const vouchers = sampleVouchers(opensMs, nowMs);
  const rows = voucherNames.map((name) => {
    const { active, ...voucher } = vouchers[name];
    return { id: ids.vouchers[name], ...voucher, code_folded: sortKey(voucher.code), active: active ? 1 : 0 };
  });
  await writer.insert(tx, 'vouchers', rows);
}
