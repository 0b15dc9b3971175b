import { ShippingMethod, type ShippingMethodInput, type ShippingMethodPatch } from '../../../contract/shipping-methods.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { nextSortOrder } from '../../db/queries/sort-order.ts';
import { given } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refuseValue } from '../../verbs/problem.ts';
import { changeRecord, createRecord, deleteRecord, lockRecord } from '../../verbs/record-verbs.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { holdTaxRate, taxRateBps } from '../tax-rates/domain.ts';
import { servesCountry } from './rules.ts';

declare module '../../db/tables.ts' {
  interface Database {
    shipping_methods: TableOf<ShippingMethod, 'name'>;
  }
}

export const shippingMethods = recordTable('shipping_methods', {
  type: 'shipping_method',
  toRecord: ({ name_folded: _, row_version: __, ...row }): ShippingMethod => ({
    ...row,
    countries: ShippingMethod.shape.countries.parse(JSON.parse(row.countries)),
    active: row.active === 1,
  }),
  toRow: (method) => toColumns(method, ['name']),
  search: ['name_folded'],
  order: { name: 'sort_order', type: 'integer' },
});

export const recordVersions = { shipping_method: shippingMethods.version } satisfies RecordVersions;

/** The shipping method's values that an order copies. */
export type ShippingChoice = {
  id: number;
  name: string;
  price_cents: number;
  free_over_cents: number | null;
  tax_rate_bps: number;
};

/**
 * The active shipping method of a phone order to a country; refuses (422) if there is none with this id, or if it does not
 * serve the country.
 */
export async function shippingMethodFor(ctx: Ctx, id: number, country: string): Promise<ShippingChoice> {
  const method = await shippingMethods.find(ctx.db, id);
  if (!method?.active) {
    throw refuseValue('shipping_method_not_found', '/shipping/method_id', `there is no active shipping method ${id}`);
  }
  if (!servesCountry(method, country)) {
    const detail = `"${method.name}" serves only these countries: ${method.countries.join(', ')}`;
    throw refuseValue('country_not_served', '/shipping_address/country', detail);
  }
  const { name, price_cents, free_over_cents, tax_rate_id } = method;
  return { id, name, price_cents, free_over_cents, tax_rate_bps: await taxRateBps(ctx, tax_rate_id, country) };
}

const DEFAULTS = { price_cents: 0, free_over_cents: null, tax_rate_id: null, countries: [], delivery_estimate: '', active: true };

export async function createShippingMethod(ctx: Ctx, { name, ...wanted }: ShippingMethodInput): Promise<ShippingMethod> {
  await holdTaxRate(ctx, wanted.tax_rate_id);
  const sort_order = wanted.sort_order ?? (await nextSortOrder(ctx.db, 'shipping_methods'));
  return createRecord(ctx, shippingMethods, { name, ...DEFAULTS, ...given(wanted), sort_order });
}

export async function updateShippingMethod(ctx: Ctx, id: number, patch: ShippingMethodPatch): Promise<ShippingMethod> {
  const method = await lockRecord(ctx, shippingMethods, id);
  await holdTaxRate(ctx, patch.tax_rate_id);
  return changeRecord(ctx, shippingMethods, method, patch);
}

/** Deletes a shipping method. Orders have their own copy of its name and cost, so it is never in use. */
export async function deleteShippingMethod(ctx: Ctx, id: number): Promise<undefined> {
  return deleteRecord(ctx, shippingMethods, await lockRecord(ctx, shippingMethods, id));
}
