import type { NewRow, Row } from '../../db/tables.ts';
import { termsOf } from '../../resources/order-pricing/rules.ts';
import { priceColumns, shippingColumns } from '../../resources/orders/rules.ts';
import { digitsOf, sortKey } from '../../values/texts.ts';
import { PLACES, publicIdOf } from '../public-ids.ts';
import { PICKUP_LOCATIONS, type SampleVoucher, type VoucherName } from './commerce.ts';
import type { Person } from './customers.ts';
import type { Fate } from './fate.ts';
import type { PricedBasket } from './order-price.ts';
import type { Random } from './random.ts';
import type { SampleIds } from './state.ts';

export type SampleOrder = {
  id: number;
  index: number;
  atMs: number;
  nowMs: number;
  /** null: a walk-in buyer, who left no address. */
  person: Person | null;
  fate: Fate;
  priced: PricedBasket;
};

/** What all orders of a shop share. `orders`: their number. */
export type OrderFrame = {
  orders: number;
  ids: SampleIds;
  currency: string;
  currencyExponent: number;
  vouchers: Readonly<Record<VoucherName, SampleVoucher>>;
};

const DAY_MS = 86_400_000;
const PROVIDERS = { stripe: 80, paypal: 12, manual: 8 } as const;
const WALK_IN = 'Walk-in';
const WALK_IN_FOLDED = sortKey(WALK_IN);

/** A column that is not made here gets its default. */
export type OrderRow = NewRow<'orders'> & Pick<Row<'orders'>, 'id' | 'customer_id'>;

/** The row of an order. Its payment records are made by `paymentRows`. */
export function orderRow(frame: OrderFrame, sample: SampleOrder, random: Random): OrderRow {
  const { ids, vouchers } = frame;
  const { id, person, fate, priced } = sample;
  const { price, delivery, voucher, discount, lines } = priced;
  const isShipped = lines.some(({ variant }) => variant.product.kind !== 'digital');
  const hasLeft = fate.status === 'shipped' || fate.status === 'delivered';
  const updatedMs = Math.min(sample.nowMs, sample.atMs + Math.floor(random.next() * 4 * DAY_MS));
  const created = new Date(sample.atMs).toISOString();
  const address = delivery.pickup === null ? person?.address : undefined;
  const isBought = fate.payment === 'paid' || fate.payment === 'refunded' || price.total === 0;
  const byProvider = lines.some(({ variant }) => variant.product.subscription) ? 'stripe' : null;
  return {
    id,
    public_id: publicIdOf(`sample order ${sample.index}`, Math.floor((sample.index / frame.orders) * PLACES)),
    customer_id: person ? ids.firstCustomer + person.index : null,
    status: fate.status,
    payment_status: fate.payment,
    customer_name: person?.name ?? WALK_IN,
    customer_name_folded: person?.nameFolded ?? WALK_IN_FOLDED,
    customer_email: person?.email ?? '',
    customer_email_folded: person?.emailFolded ?? '',
    customer_phone: person?.phone ?? '',
    phone_digits: digitsOf(person?.phone ?? null),
    ...shippingColumns(address),
    billing_address: person && person.index % 6 === 0 ? billingAddress(person) : null,
    notes: random.chance(0.05)
      ? random.pick(['Please leave it with the neighbour.', 'It is a present: no invoice in the parcel.', 'Ring twice.'])
      : '',
    internal_notes: random.chance(0.02) ? 'Checked by phone.' : null,
    currency: frame.currency,
    prices_include_tax: 0,
    ...priceColumns(price),
    discount_reason: discount?.reason ?? null,
    voucher_code: voucher && vouchers[voucher].code,
    voucher_terms: voucher && JSON.stringify(termsOf({ id: 0, used_count: 0, ...vouchers[voucher] })),
    shipping_method: delivery.method,
    shipping_tax_rate: delivery.tax_rate_bps,
    payment_provider: byProvider ?? (person === null ? 'manual' : random.weighted(PROVIDERS)),
    first_paid_at: isBought ? created : null,
    base_payment_status: null,
    paid_amount: fate.payment === 'paid' ? price.total : 0,
    pickup_location_id: delivery.pickup === null ? null : (ids.pickupLocations[delivery.pickup] ?? null),
    pickup_location_name: delivery.pickup === null ? null : (PICKUP_LOCATIONS[delivery.pickup]?.name ?? null),
    tracking_number: hasLeft && delivery.method !== '' ? `KQ${String(random.int(0, 999_999_999)).padStart(9, '0')}IE` : '',
    ip_address: person?.ip ?? '',
    invoice_url: null,
    delivery_date: isShipped && random.chance(0.3) ? new Date(sample.atMs + random.int(2, 14) * DAY_MS).toISOString().slice(0, 10) : null,
    is_test: random.chance(0.015) ? 1 : 0,
    internal_status_id: random.chance(0.03) ? (ids.statuses[random.int(0, ids.statuses.length - 1)] ?? null) : null,
    created_at: created,
    updated_at: new Date(updatedMs).toISOString(),
  };
}

export type ItemRow = NewRow<'order_items'> & { id: number };

const NO_SUMS = { subtotal: 0, discount_amount: 0, tax_amount: 0 };

/** The order lines of an order; `firstId` is the id of the first line. */
export function itemRows({ id, person, priced }: SampleOrder, firstId: number, random: Random): ItemRow[] {
  const { lines, price } = priced;
  return lines.map(({ variant, quantity, unitPrice, taxRateBps }, position) => {
    const field = variant.product.customField;
    const value = field && random.chance(0.3) ? [{ field_name: field, field_value: person?.name.split(' ')[0] ?? 'K & Q' }] : null;
    return {
      id: firstId + position,
      order_id: id,
      product_id: variant.productId,
      variant_id: variant.id,
      product_name: variant.product.name,
      product_sku: variant.sku,
      variant_label: variant.label,
      unit_price: unitPrice,
      quantity,
      tax_rate: taxRateBps,
      ...(price.lines[position] ?? NO_SUMS),
      custom_fields: value ? JSON.stringify(value) : '[]',
      position,
    };
  });
}

function billingAddress({ name, address }: Person): string {
  const { line1, line2, city, state, postal_code, country } = address;
  return JSON.stringify({ name, line1: `${line1}, first floor`, ...(line2 ? { line2 } : {}), city, state, postal_code, country });
}
