import type { InputOf } from '../../../contract/endpoint.ts';
import type { ShippingMethod, ShippingMethodInput, ShippingMethodPatch, shippingMethodsList } from '../../../contract/shipping-methods.ts';
import { fold } from '../../../contract/values.ts';
import { changesBetween, given, noteChanged, noteCreated, noteDeleted } from '../../changes.ts';
import type { Ctx } from '../../context.ts';
import { rowVersion } from '../../db/row-version.ts';
import { listPage } from '../../pages.ts';
import { notFound, refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { holdTaxRate, taxRateBps } from '../tax-rates/domain.ts';
import { servesCountry } from './rules.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = { shipping_method: rowVersion('shipping_methods') };

/** How an order is sent, as it is taken over into the order. */
export type ShippingChoice = {
  id: number;
  name: string;
  price_cents: number;
  free_over_cents: number | null;
  tax_rate_bps: number;
};

/** The active method of a phone order to a country; 422 where there is none, or it does not go there. */
export async function shippingMethodFor(ctx: Ctx, id: number, country: string): Promise<ShippingChoice> {
  const method = await store.selectMethod(ctx, id, false);
  if (!method?.active) {
    throw refuseValue('shipping_method_not_found', '/shipping/method_id', `there is no active shipping method ${id}`);
  }
  if (!servesCountry(method, country)) {
    const detail = `"${method.name}" goes to ${method.countries.join(', ')} only`;
    throw refuseValue('country_not_served', '/shipping_address/country', detail);
  }
  const { name, price_cents, free_over_cents, tax_rate_id } = method;
  return { id, name, price_cents, free_over_cents, tax_rate_bps: await taxRateBps(ctx, tax_rate_id, country) };
}

export function listShippingMethods(ctx: Ctx, query: InputOf<typeof shippingMethodsList>['query']) {
  return listPage(query, { name: 'sort_order', type: 'integer' }, store.shippingMethods(ctx, fold(query.search ?? '')));
}

export async function getShippingMethod(ctx: Ctx, id: number): Promise<ShippingMethod> {
  const method = await store.selectMethod(ctx, id, false);
  if (!method) throw notFound('shipping method', id);
  return method;
}

const DEFAULTS = { price_cents: 0, free_over_cents: null, tax_rate_id: null, countries: [], delivery_estimate: '', active: true };

export async function createShippingMethod(ctx: Ctx, { name, ...wanted }: ShippingMethodInput): Promise<ShippingMethod> {
  await holdTaxRate(ctx, wanted.tax_rate_id);
  const sortOrder = wanted.sort_order ?? Math.min((await store.selectLastSortOrder(ctx.db)) + 1, Number.MAX_SAFE_INTEGER);
  const method = await store.insertMethod(ctx.db, { name, ...DEFAULTS, ...given(wanted), sort_order: sortOrder });
  noteCreated(ctx, 'shipping_method', method, name);
  return method;
}

export async function updateShippingMethod(ctx: Ctx, id: number, patch: ShippingMethodPatch): Promise<ShippingMethod> {
  const method = await lock(ctx, id);
  await holdTaxRate(ctx, patch.tax_rate_id);
  const wanted = given(patch);
  const changes = changesBetween(method, wanted);
  if (Object.keys(changes).length > 0) await store.updateMethod(ctx.db, id, wanted);
  noteChanged(ctx, 'shipping_method', id, changes);
  return { ...method, ...wanted };
}

/** Orders keep name and cost, so it is never in use. */
export async function deleteShippingMethod(ctx: Ctx, id: number): Promise<undefined> {
  const method = await lock(ctx, id);
  await store.deleteMethod(ctx.db, id);
  noteDeleted(ctx, 'shipping_method', method, method.name);
}

async function lock(ctx: Ctx, id: number): Promise<ShippingMethod> {
  const method = await store.selectMethod(ctx, id, true);
  if (!method) throw notFound('shipping method', id);
  return method;
}
