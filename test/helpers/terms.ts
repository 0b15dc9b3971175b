import type { DiscountGroup } from '../../contract/discount-groups.ts';
import type { PickupLocation, PickupLocationInput } from '../../contract/pickup-locations.ts';
import type { ShippingMethod, ShippingMethodInput } from '../../contract/shipping-methods.ts';
import type { TaxRate, TaxRateInput } from '../../contract/tax-rates.ts';
import type { Voucher, VoucherInput } from '../../contract/vouchers.ts';
import type { Shop } from './builders.ts';

/** Makes the shop's terms of sale through the API: tax rates, shipping methods, pickup locations, vouchers, discount groups. */

let made = 0;
const next = (): number => ++made;

export function makeTaxRate({ client }: Shop, values: Partial<TaxRateInput> & { rate_bps: number }): Promise<TaxRate> {
  return client.tax_rates.create({ name: `Rate ${next()}`, ...values });
}

export function makeShippingMethod({ client }: Shop, values: Partial<ShippingMethodInput> = {}): Promise<ShippingMethod> {
  return client.shipping_methods.create({ name: `Method ${next()}`, price_cents: 500, ...values });
}

export function makePickupLocation({ client }: Shop, values: Partial<PickupLocationInput> = {}): Promise<PickupLocation> {
  return client.pickup_locations.create({ name: `Shop ${next()}`, country: 'AT', ...values });
}

export function makeVoucher({ client }: Shop, values: Partial<VoucherInput> = {}): Promise<Voucher> {
  return client.vouchers.create({ code: `CODE${next()}`, kind: 'percent', ...values });
}

export function makeDiscountGroup({ client }: Shop, percent_bps: number): Promise<DiscountGroup> {
  return client.discount_groups.create({ name: `Group ${next()}`, percent_bps });
}
