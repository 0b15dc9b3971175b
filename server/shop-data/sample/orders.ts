import { fold } from '../../../contract/values.ts';
import type { NewRow } from '../../db/tables.ts';
import { totals } from '../../resources/orders/rules.ts';
import { publicIdOf } from '../batch.ts';
import type { Basket } from './basket.ts';
import { TAX_RATES } from './catalogue.ts';
import type { Person } from './customers.ts';
import type { Fate } from './fate.ts';
import type { Random } from './random.ts';

export type SampleOrder = {
  id: number;
  index: number;
  atMs: number;
  nowMs: number;
  /** null: a walk-in who left no address. */
  person: Person | null;
  customerId: number | null;
  basket: Basket;
  fate: Fate;
  internalStatusIds: readonly number[];
};

export type OrderRows = { order: NewRow<'orders'>; items: NewRow<'order_items'>[] };

const DAY_MS = 86_400_000;
const WALK_IN = 'Walk-in';
const WALK_IN_FOLDED = fold(WALK_IN);

/** The rows of an order; its sums are made by the shop's own rules. */
export function orderRows(sample: SampleOrder, random: Random): OrderRows {
  const { basket, person, fate, id } = sample;
  const goods = basket.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0);
  const isShipped = basket.some(({ variant }) => variant.product.kind !== 'digital');
  const discount = discountOf(person, goods, random);
  const shipping = shippingOf(goods, isShipped && person !== null, discount.freeShipping, random);
  const sums = totals({
    lines: basket.map(({ variant, quantity }) => ({ unitPrice: variant.price, quantity, taxRateBps: variant.taxRateBps })),
    discount: discount.amount,
    shippingCost: shipping.cost,
    shippingTaxRateBps: TAX_RATES.standard.rate_bps,
    pricesIncludeTax: false,
  });
  const hasLeft = fate.status === 'shipped' || fate.status === 'delivered';
  const updatedMs = Math.min(sample.nowMs, sample.atMs + Math.floor(random.next() * 4 * DAY_MS));
  const address = person?.address;
  const order: NewRow<'orders'> = {
    id,
    public_id: publicIdOf(`sample order ${sample.index}`),
    customer_id: sample.customerId,
    status: fate.status,
    payment_status: fate.payment,
    customer_name: person?.name ?? WALK_IN,
    customer_name_folded: person?.nameFolded ?? WALK_IN_FOLDED,
    customer_email: person?.email ?? '',
    customer_email_folded: person?.emailFolded ?? '',
    customer_phone: person?.phone ?? '',
    shipping_line1: address?.line1 ?? '',
    shipping_line2: address?.line2 ?? '',
    shipping_city: address?.city ?? '',
    shipping_state: address?.state ?? '',
    shipping_postal_code: address?.postal_code ?? '',
    shipping_country: address?.country ?? 'IE',
    billing_address: person && person.index % 6 === 0 ? billingAddress(person) : null,
    notes: random.chance(0.05)
      ? random.pick(['Please leave it with the neighbour.', 'It is a present: no invoice in the parcel.', 'Ring twice.'])
      : '',
    internal_notes: random.chance(0.02) ? 'Checked by phone.' : null,
    currency: 'EUR',
    prices_include_tax: 0,
    subtotal: sums.subtotal,
    discount_amount: sums.discount,
    discount_reason: discount.reason,
    voucher_code: discount.voucher,
    tax_amount: sums.tax,
    shipping_method: shipping.method,
    shipping_cost: shipping.cost,
    total: sums.total,
    payment_provider: person === null ? 'manual' : random.weighted({ stripe: 80, paypal: 12, manual: 8 }),
    pickup_location_id: null,
    pickup_location_name: null,
    tracking_number: hasLeft && shipping.cost > 0 ? `KQ${String(random.int(0, 999_999_999)).padStart(9, '0')}IE` : '',
    ip_address: person?.ip ?? '',
    invoice_url: null,
    delivery_date: isShipped && random.chance(0.3) ? new Date(sample.atMs + random.int(2, 14) * DAY_MS).toISOString().slice(0, 10) : null,
    is_test: random.chance(0.015) ? 1 : 0,
    internal_status_id: random.chance(0.03) ? (sample.internalStatusIds[random.int(0, sample.internalStatusIds.length - 1)] ?? null) : null,
    created_at: new Date(sample.atMs).toISOString(),
    updated_at: new Date(updatedMs).toISOString(),
  };
  const items = basket.map(({ variant, quantity }, position) => {
    const line = sums.lines[position] ?? { subtotal: 0, discount_amount: 0, tax_amount: 0 };
    const field = variant.product.customField;
    const value = field && random.chance(0.3) ? [{ field_name: field, field_value: person?.name.split(' ')[0] ?? 'K & Q' }] : [];
    return {
      order_id: id,
      product_id: variant.productId,
      variant_id: variant.id,
      product_name: variant.product.name,
      product_sku: variant.sku,
      variant_label: variant.label,
      unit_price: variant.price,
      quantity,
      subtotal: line.subtotal,
      discount_amount: line.discount_amount,
      tax_rate: variant.taxRateBps,
      tax_amount: line.tax_amount,
      custom_fields: JSON.stringify(value),
      position,
    };
  });
  return { order, items };
}

type Discount = { amount: number; reason: string | null; voucher: string | null; freeShipping: boolean };

function discountOf(person: Person | null, goods: number, random: Random): Discount {
  const none = { amount: 0, reason: null, voucher: null, freeShipping: false };
  if (person?.isB2b) return { ...none, amount: Math.floor(goods / 10), reason: 'Trade customer' };
  if (random.chance(0.06)) return { ...none, amount: Math.floor(goods / 10), voucher: 'WELCOME10' };
  if (random.chance(0.02)) return { ...none, voucher: 'SHIPFREE', freeShipping: true };
  if (random.chance(0.01)) return { ...none, amount: 500, reason: 'Sorry for the wait' };
  return none;
}

function shippingOf(goods: number, isShipped: boolean, isFree: boolean, random: Random): { method: string; cost: number } {
  if (!isShipped) return { method: '', cost: 0 };
  if (random.chance(0.06)) return { method: 'Pickup at the shop', cost: 0 };
  if (random.chance(0.1)) return { method: 'Express', cost: isFree ? 0 : 990 };
  return { method: 'Standard', cost: isFree || goods >= 5000 ? 0 : 490 };
}

function billingAddress({ name, address }: Person): string {
  const { line1, line2, city, state, postal_code, country } = address;
  return JSON.stringify({ name, line1: `${line1}, first floor`, ...(line2 ? { line2 } : {}), city, state, postal_code, country });
}
