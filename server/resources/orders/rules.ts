import type { OrderStatus, PaymentProgress, PaymentStatus } from '../../../contract/orders.ts';
import type { OnlyOf } from '../../verbs/changes.ts';
import type { Price } from '../order-pricing/rules.ts';

export type TotalsInput = {
  lines: readonly { unitPrice: number; quantity: number; taxRateBps: number }[];
  /** Before tax; a discount above the subtotal counts as the subtotal. */
  discount: number;
  shippingCost: number;
  shippingTaxRateBps: number;
  pricesIncludeTax: boolean;
};

export type Totals = {
  lines: { subtotal: number; discount_amount: number; tax_amount: number }[];
  subtotal: number;
  discount: number;
  /** The tax of the lines and of the shipping. */
  tax: number;
  shipping: number;
  total: number;
};

/**
 * Computes an order's sums in whole minor units: the discount is spread over the lines, and the tax is rounded once for each
 * line (spec O9-O12). With tax excluded, total = subtotal - discount + shipping + tax; with tax included, the tax is
 * not added.
 */
export function totals({ lines, discount, shippingCost, shippingTaxRateBps, pricesIncludeTax }: TotalsInput): Totals {
  const taxOf = pricesIncludeTax ? containedTax : addedTax;
  const subtotals = lines.map(({ unitPrice, quantity }) => BigInt(unitPrice) * BigInt(quantity));
  const subtotal = sum(subtotals);
  const shares = spread(atMost(BigInt(discount), subtotal), subtotals);
  const taxes = lines.map(({ taxRateBps }, i) => taxOf((subtotals[i] ?? 0n) - (shares[i] ?? 0n), BigInt(taxRateBps)));
  const tax = sum(taxes) + taxOf(BigInt(shippingCost), BigInt(shippingTaxRateBps));
  const net = subtotal - sum(shares) + BigInt(shippingCost);
  return {
    lines: lines.map((_, i) => ({
      subtotal: safe(subtotals[i] ?? 0n),
      discount_amount: safe(shares[i] ?? 0n),
      tax_amount: safe(taxes[i] ?? 0n),
    })),
    subtotal: safe(subtotal),
    discount: safe(sum(shares)),
    tax: safe(tax),
    shipping: shippingCost,
    total: safe(pricesIncludeTax ? net : net + tax),
  };
}

/** Splits an amount in proportion to the weights by largest remainder, ties in their order: the parts add up exactly. */
function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  if (whole === 0n || amount === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / whole);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (amount * weight) % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const missing = Number(amount - sum(parts));
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

const BPS = 10_000n;

function addedTax(amount: bigint, rateBps: bigint): bigint {
  return divideHalfUp(amount * rateBps, BPS);
}

function containedTax(amount: bigint, rateBps: bigint): bigint {
  return amount - divideHalfUp(amount * BPS, BPS + rateBps);
}

/** For amounts that are not negative. */
function divideHalfUp(a: bigint, b: bigint): bigint {
  return a / b + ((a % b) * 2n >= b ? 1n : 0n);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const atMost = (amount: bigint, limit: bigint): bigint => (amount < limit ? amount : limit);

function safe(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`${amount} is more than an order can hold`);
  return Number(amount);
}

/**
 * Converts an amount such as `"19.99"` to minor units, exactly. If it has more decimals than the currency, a minimum is
 * rounded up and a maximum down (spec O1). The text is a DecimalAmount of the contract.
 */
export function amountBound(decimal: string, exponent: number, side: 'min' | 'max'): number {
  const [units = '0', decimals = ''] = decimal.split('.');
  const floor = BigInt(units + decimals.slice(0, exponent).padEnd(exponent, '0'));
  const roundsUp = side === 'min' && /[1-9]/.test(decimals.slice(exponent));
  return Number(atMost(roundsUp ? floor + 1n : floor, BigInt(Number.MAX_SAFE_INTEGER)));
}

/** What an order keeps of its price: what its sums are, and what they are made of. */
export function priceColumns(price: Price) {
  return {
    subtotal: price.subtotal,
    discount_amount: price.discount,
    voucher_discount: price.voucherDiscount,
    manual_discount: price.manualDiscount,
    tax_amount: price.tax,
    shipping_cost: price.shipping,
    waived_shipping: price.waivedShipping,
    total: price.total,
  };
}

type Address = {
  line1: string;
  line2?: string | null | undefined;
  city: string;
  state?: string | undefined;
  postal_code: string;
  country: string;
};

/** Where an order goes, as it keeps it: all blank without an address. */
export function shippingColumns<Given extends Address>(address: OnlyOf<Given, Address> | null | undefined) {
  return {
    shipping_line1: address?.line1 ?? '',
    shipping_line2: address?.line2 ?? '',
    shipping_city: address?.city ?? '',
    shipping_state: address?.state ?? '',
    shipping_postal_code: address?.postal_code ?? '',
    shipping_country: address?.country ?? '',
  };
}

type StockEffect = 'return' | 'take' | null;

/**
 * What a change of status does to the stock (spec O16). Any status may follow any other (spec C14). Goods that were
 * shipped do not come back by a cancellation.
 */
const stockEffects: Record<OrderStatus, (after: OrderStatus) => StockEffect> = {
  pending: (after) => (after === 'cancelled' ? 'return' : null),
  processing: (after) => (after === 'cancelled' ? 'return' : null),
  shipped: () => null,
  delivered: () => null,
  cancelled: (after) => (after === 'cancelled' ? null : 'take'),
};

export function stockEffect(before: OrderStatus, after: OrderStatus): StockEffect {
  return stockEffects[before](after);
}

/** How much of an order is paid: the stored amount, else what the payment status implies. */
export function payment(order: { total: number; payment_status: PaymentStatus; paid_amount: number | null }): {
  paid_total_cents: number;
  balance_due_cents: number;
  payment_progress: PaymentProgress;
} {
  const paid = order.paid_amount ?? (order.payment_status === 'paid' ? order.total : 0);
  return { paid_total_cents: paid, balance_due_cents: order.total - paid, payment_progress: paymentProgress(order.total, paid) };
}

/**
 * The amount paid after the payment status was set by hand. `recorded` is the sum of the payment records, null if there are
 * none; it counts unless the new status is paid or refunded.
 */
export function amountPaid(order: Parameters<typeof payment>[0], status: PaymentStatus, recorded: number | null): number {
  const paid = payment(order).paid_total_cents;
  if (status === order.payment_status) return paid;
  if (status === 'paid') return Math.max(order.total, recorded ?? paid);
  return status === 'refunded' ? 0 : (recorded ?? 0);
}

export function paymentProgress(total: number, paid: number): PaymentProgress {
  if (paid > total) return 'overpaid';
  if (paid === total) return 'paid';
  return paid > 0 ? 'partial' : 'unpaid';
}
