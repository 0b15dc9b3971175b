import { fold } from '../../contract/values.ts';
import type { Store } from '../../server/db/open.ts';
import type { NewRow, Row } from '../../server/db/tables.ts';

/** What a shop sells by: tax rates, shipping methods, pickup locations, vouchers, discount groups. */

let made = 0;
const next = (): number => ++made;

export async function insertTaxRate(store: Store, values: Partial<NewRow<'tax_rates'>> & { rate_bps: number }): Promise<Row<'tax_rates'>> {
  const { name = `Rate ${next()}` } = values;
  const row: NewRow<'tax_rates'> = { country: null, is_default: 0, ...values, name, name_folded: fold(name) };
  return store.write((db) => db.insertInto('tax_rates').values(row).returningAll().executeTakeFirstOrThrow());
}

export async function insertShippingMethod(
  store: Store,
  values: Partial<NewRow<'shipping_methods'>> = {},
): Promise<Row<'shipping_methods'>> {
  const { name = `Method ${next()}` } = values;
  const row: NewRow<'shipping_methods'> = {
    price_cents: 500,
    free_over_cents: null,
    tax_rate_id: null,
    countries: '[]',
    delivery_estimate: '',
    active: 1,
    sort_order: 1,
    ...values,
    name,
    name_folded: fold(name),
  };
  return store.write((db) => db.insertInto('shipping_methods').values(row).returningAll().executeTakeFirstOrThrow());
}

export async function insertPickupLocation(
  store: Store,
  values: Partial<NewRow<'pickup_locations'>> = {},
): Promise<Row<'pickup_locations'>> {
  const { name = `Shop ${next()}` } = values;
  const row: NewRow<'pickup_locations'> = {
    line1: '',
    line2: '',
    city: '',
    postal_code: '',
    country: 'AT',
    opening_hours: '',
    active: 1,
    sort_order: 1,
    ...values,
    name,
    name_folded: fold(name),
  };
  return store.write((db) => db.insertInto('pickup_locations').values(row).returningAll().executeTakeFirstOrThrow());
}

export async function insertVoucher(store: Store, values: Partial<NewRow<'vouchers'>> = {}): Promise<Row<'vouchers'>> {
  const { code = `CODE${next()}` } = values;
  const row: NewRow<'vouchers'> = {
    kind: 'percent',
    percent_bps: null,
    amount_cents: null,
    min_subtotal_cents: 0,
    usage_limit: null,
    per_customer_limit: null,
    valid_from: null,
    valid_to: null,
    active: 1,
    ...values,
    code,
    code_folded: fold(code),
  };
  return store.write((db) => db.insertInto('vouchers').values(row).returningAll().executeTakeFirstOrThrow());
}

export async function insertDiscountGroup(store: Store, percent_bps: number): Promise<Row<'discount_groups'>> {
  const at = '2026-03-01T12:00:00.000Z';
  const name = `Group ${next()}`;
  const row: NewRow<'discount_groups'> = { name, name_folded: fold(name), percent_bps, created_at: at, updated_at: at };
  return store.write((db) => db.insertInto('discount_groups').values(row).returningAll().executeTakeFirstOrThrow());
}
