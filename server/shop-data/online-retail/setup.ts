import type { Db, Store } from '../../db/open.ts';
import { reserveIds } from '../../db/queries/reserve-ids.ts';
import type { NewRow } from '../../db/tables.ts';
import { isCurrencyFixed, writeSettings } from '../../resources/settings/domain.ts';
import { sortKey } from '../../values/texts.ts';
import type { BatchWriter } from '../batch-store.ts';
import { CommandError } from '../command.ts';
import { publicIdOf } from '../public-ids.ts';
import type { CustomerPlan, ProductPlan } from './catalogue.ts';
import { countryCode } from './countries.ts';
import type { Plan } from './report.ts';
import { toPennies } from './rules.ts';
import { insertTaxRate, selectSkus, selectSlugs, selectTaxRates } from './setup-store.ts';
import type { ImportIds } from './state.ts';

/** Writes products, customers and the opening stock, to which the orders refer. */
export async function writeCatalogue(store: Store, tx: Db, writer: BatchWriter, plan: Plan): Promise<ImportIds> {
  const products = [...plan.products.values()].filter(({ isKept }) => isKept);
  const customers = [...plan.customers.values()];
  await refuseTaken(tx, products);
  if (!(await isCurrencyFixed(tx))) {
    await writeSettings(tx, { currency: 'GBP', currency_exponent: 2, timezone: 'Europe/London', locale: 'en-GB' });
  }
  const taxRateId = await zeroTaxRate(tx);
  const productIds = await reserveIds({ db: tx, dialect: store.dialect }, 'products', products.length);
  const variantIds = await reserveIds({ db: tx, dialect: store.dialect }, 'variants', products.length);
  const customerIds = await reserveIds({ db: tx, dialect: store.dialect }, 'customers', customers.length);
  const idAt = (ids: readonly number[], index: number): number => ids[index] ?? 0;

  await writer.insert(
    tx,
    'products',
    products.map((p, i) => productRow(p, idAt(productIds, i), taxRateId)),
  );
  await writer.insert(
    tx,
    'variants',
    products.map((p, i) => variantRow(p, idAt(variantIds, i), idAt(productIds, i))),
  );
  await writer.insert(tx, 'stock_movements', openings(products, variantIds));
  await writer.insert(
    tx,
    'customers',
    customers.map((c, i) => customerRow(c, idAt(customerIds, i))),
  );
  await writer.insert(
    tx,
    'addresses',
    customers.flatMap((c, i) => addressRows(c, idAt(customerIds, i))),
  );
  return {
    products: Object.fromEntries(products.map(({ code }, i) => [code, [idAt(productIds, i), idAt(variantIds, i)]])),
    customers: Object.fromEntries(customers.map(({ number }, i) => [number, idAt(customerIds, i)])),
  };
}

async function refuseTaken(tx: Db, products: readonly ProductPlan[]): Promise<void> {
  const skus = new Set(await selectSkus(tx));
  const slugs = new Set(await selectSlugs(tx));
  const taken = products.find(({ sku, slug }) => skus.has(sku) || slugs.has(slug));
  if (taken) throw new CommandError(`the shop already has a product ${taken.sku} (${taken.slug}): import into a shop without this product`);
}

async function zeroTaxRate(tx: Db): Promise<number> {
  const rates = await selectTaxRates(tx);
  const zero = rates.find(({ rate_bps }) => rate_bps === 0);
  if (zero) return zero.id;
  const name = 'No tax';
  return insertTaxRate(tx, { name, name_folded: sortKey(name), rate_bps: 0, country: null, is_default: rates.length === 0 ? 1 : 0 });
}

function productRow(product: ProductPlan, id: number, taxRateId: number): NewRow<'products'> {
  const status = product.isNamed ? 'active' : 'draft';
  return {
    id,
    public_id: publicIdOf(`online-retail product ${product.code}`),
    slug: product.slug,
    name: product.name,
    name_folded: sortKey(product.name),
    description: '',
    status: product.isGoods ? status : 'archived',
    kind: product.isGoods ? 'physical' : 'digital',
    tax_rate_id: taxRateId,
    low_stock_threshold: null,
    custom_fields: '[]',
    is_subscription: 0,
    billing_interval: null,
    billing_interval_count: 1,
    cancellation_policy: 'immediate',
    max_billing_cycles: null,
    created_at: product.firstAt,
    updated_at: product.lastAt,
  };
}

function variantRow(product: ProductPlan, id: number, productId: number): NewRow<'variants'> {
  return {
    id,
    product_id: productId,
    sku: product.sku,
    sku_folded: sortKey(product.sku),
    label: '',
    label_folded: '',
    price_cents: Math.max(0, toPennies(product.price)),
    compare_at_price_cents: null,
    track_stock: product.isGoods ? 1 : 0,
    stock: product.opening,
    allow_backorder: 0,
    weight_grams: 0,
    position: 0,
    active: 1,
  };
}

function openings(products: readonly ProductPlan[], variantIds: readonly number[]): NewRow<'stock_movements'>[] {
  return products.flatMap(({ opening, firstAt }, i) =>
    opening === 0
      ? []
      : [{ variant_id: variantIds[i] ?? 0, delta: opening, reason: 'opening stock', order_id: null, actor: 'system', at: firstAt }],
  );
}

function customerRow(customer: CustomerPlan, id: number): NewRow<'customers'> {
  const name = customerName(customer.number);
  return {
    id,
    name,
    name_folded: sortKey(name),
    email: '',
    email_folded: '',
    phone: null,
    registered: 0,
    is_b2b: 0,
    discount_group_id: null,
    register_ip: '',
    last_login_ip: '',
    created_at: customer.firstAt,
    updated_at: customer.firstAt,
  };
}

/** The file has no names of customers, so the name is made of the customer's number. */
export function customerName(number: string): string {
  return `Customer ${number}`;
}

function addressRows(customer: CustomerPlan, customerId: number): NewRow<'addresses'>[] {
  return customer.countries.map((country, i) => ({
    customer_id: customerId,
    address_type: 'shipping',
    label: '',
    line1: '',
    line2: null,
    city: '',
    state: '',
    postal_code: '',
    country: countryCode(country),
    is_default: i === customer.countries.length - 1 ? 1 : 0,
  }));
}
