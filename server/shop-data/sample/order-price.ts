import type { OrderDiscount } from '../../../contract/order-edits.ts';
import { groupPrice } from '../../resources/discount-groups/rules.ts';
import { type Price, priceOrder } from '../../resources/order-pricing/rules.ts';
import { reasonNotUsable } from '../../resources/vouchers/rules.ts';
import type { Basket } from './basket.ts';
import { TAX_RATES } from './catalogue.ts';
import { DISCOUNT_GROUPS, LAUNCH_USES, type SampleVoucher, SHIPPING_METHODS, type VoucherName } from './commerce.ts';
import type { Person } from './customers.ts';
import type { Fate } from './fate.ts';
import type { Random } from './random.ts';

export type PricedLine = Basket[number] & { unitPrice: number; taxRateBps: number };

export type Delivery = {
  method: string;
  price_cents: number;
  free_over_cents: number | null;
  tax_rate_bps: number;
  /** The index of the pickup location in `PICKUP_LOCATIONS`; null: the order is not picked up. */
  pickup: number | null;
};

export type PricedBasket = {
  lines: PricedLine[];
  delivery: Delivery;
  voucher: VoucherName | null;
  discount: OrderDiscount | null;
  price: Price;
};

type Purchase = { basket: Basket; person: Person | null; index: number; atMs: number; fate: Fate };

/** Returns a function that prices a basket by the shop's own rules: group prices, sometimes a voucher or a discount, and delivery. */
export function basketPricer(vouchers: Readonly<Record<VoucherName, SampleVoucher>>) {
  let launched = 0;
  return ({ basket, person, index, atMs, fate }: Purchase, random: Random): PricedBasket => {
    const groupBps = person?.isB2b && person.group !== null ? (DISCOUNT_GROUPS[person.group]?.percent_bps ?? 0) : 0;
    const lines = basket.map((line) => ({
      ...line,
      unitPrice: groupPrice(line.variant.price, groupBps),
      taxRateBps: line.variant.taxRateBps,
    }));
    const delivery = deliveryOf(person !== null && basket.some(({ variant }) => variant.product.kind !== 'digital'), random);
    const isLaunch = index < LAUNCH_ORDERS && launched < LAUNCH_USES && person !== null && fate.status !== 'cancelled';
    const wished = voucherOf(person, isLaunch, random);
    const now = new Date(atMs).toISOString();
    const basis = { lines, shipping: delivery, pricesIncludeTax: false };
    const isUsable = (name: VoucherName): boolean => {
      const { subtotal } = priceOrder({ ...basis, voucher: null, discount: null });
      return reasonNotUsable({ id: 0, used_count: 0, ...vouchers[name] }, { now, subtotal, uses: NO_USES }) === null;
    };
    const voucher = wished !== null && isUsable(wished) ? wished : null;
    if (voucher === 'launch') launched++;
    const discount = voucher === null ? discountOf(random) : null;
    const terms = voucher === null ? null : vouchers[voucher];
    const price = priceOrder({ ...basis, voucher: terms, discount });
    return { lines, delivery, voucher, discount, price };
  };
}

const NO_USES = { all: 0, byCustomer: 0 };
/** All uses of the voucher LAUNCH are among the first 100 orders. */
const LAUNCH_ORDERS = 100;

function voucherOf(person: Person | null, isLaunch: boolean, random: Random): VoucherName | null {
  const draw = random.next();
  if (isLaunch) return 'launch';
  if (person?.isB2b) return null;
  if (draw < 0.05) return 'welcome';
  if (draw < 0.07) return 'shipping';
  if (draw < 0.08) return 'thanks';
  return draw < 0.18 ? 'winter' : null;
}

function discountOf(random: Random): OrderDiscount | null {
  if (!random.chance(0.015)) return null;
  return random.chance(0.5)
    ? { kind: 'fixed', amount_cents: 500, reason: 'Sorry for the wait' }
    : { kind: 'percent', percent_bps: 1000, reason: 'Scratched box' };
}

const NONE: Delivery = { method: '', price_cents: 0, free_over_cents: null, tax_rate_bps: 0, pickup: null };

function deliveryOf(isShipped: boolean, random: Random): Delivery {
  const draw = random.next();
  if (!isShipped) return NONE;
  if (draw < 0.06) return { ...NONE, pickup: draw < 0.04 ? 0 : 1 };
  const { name, price_cents, free_over_cents } = SHIPPING_METHODS[draw < 0.16 ? 'express' : 'standard'];
  return { method: name, price_cents, free_over_cents, tax_rate_bps: TAX_RATES.standard.rate_bps, pickup: null };
}
