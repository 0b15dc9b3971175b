import type { Ctx } from '../../context.ts';
import { refuseValue } from '../../problem.ts';
import { taxRateBps } from '../tax-rates/domain.ts';
import { servesCountry } from './rules.ts';
import * as store from './store.ts';

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
  const method = await store.selectMethod(ctx.db, id);
  if (!method?.active) {
    throw refuseValue('shipping_method_not_found', '/shipping/method_id', `there is no active shipping method ${id}`);
  }
  if (!servesCountry(method, country)) {
    const detail = `"${method.name}" goes to ${method.countries.join(', ')} only`;
    throw refuseValue('country_not_served', '/shipping_address/country', detail);
  }
  const { name, price_cents, free_over_cents, tax_rate_id } = method;
  return { id, name, price_cents, free_over_cents, tax_rate_bps: await taxRateBps(ctx, tax_rate_id) };
}
