import type { ShipmentStatus, TrackingEvent } from '../../../contract/shipments.ts';
import type { NewRow } from '../../db/tables.ts';
import type { Offer, Parcel } from '../../providers/courier/courier.ts';
import type { OrderFrame, OrderRow, SampleOrder } from './orders.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;

/** The offers of the built-in courier with its default price list. */
const COURIERS: readonly [Offer, ...Offer[]] = [
  { courier_id: 'standard', courier_name: 'Standard', cost: 590, delivery_estimate: '2-4 working days', rate_id: null },
  { courier_id: 'express', courier_name: 'Express', cost: 1290, delivery_estimate: '1 working day', rate_id: null },
];
const LOCKERS = ['parcelbox', 'corner-locker'] as const;
const SHARES: Readonly<Record<string, number>> = { processing: 0.4, shipped: 0.7, delivered: 0.1 };

/** One parcel for some of the orders that are delivered by a shipping method: for most that are shipped, for few that are delivered. */
export function shipmentRows(frame: OrderFrame, sample: SampleOrder, order: OrderRow, random: Random): NewRow<'shipments'>[] {
  if (sample.priced.delivery.method === '' || !random.chance(SHARES[order.status] ?? 0)) return [];
  const createdMs = Math.min(sample.nowMs, sample.atMs + random.int(1, 20) * HOUR_MS);
  const common = {
    order_id: sample.id,
    wanted_courier_id: null,
    purchase_scope: null,
    purchase_started_at: null,
    created_at: new Date(createdMs).toISOString(),
    updated_at: order.updated_at,
  };
  if (random.chance(order.status === 'processing' ? 0.5 : 0.15)) return [lockerParcel(common, sample, order, random)];
  const status = statusOf(order, random);
  const key = `br_sample${String(sample.index).padStart(12, '0')}`;
  const isBought = status !== 'rates_fetched';
  const courier = random.pick(COURIERS);
  const tracking_number = isBought ? `BR${key.slice(-12)}` : null;
  if (tracking_number !== null) order.tracking_number = tracking_number;
  const row = {
    ...common,
    status,
    provider: 'manual',
    provider_key: key,
    provider_shipment_id: null,
    courier_id: isBought ? courier.courier_id : null,
    courier_name: isBought ? courier.courier_name : null,
    cost_cents: isBought ? courier.cost : null,
    tracking_number,
    label_url: isBought ? `/labels/${key}.pdf` : null,
    parcel: JSON.stringify(parcelOf(frame, sample, order)),
    options: JSON.stringify(COURIERS),
    tracking_events: JSON.stringify(travels(status, createdMs, sample.nowMs, order)),
    wanted_courier_id: isBought ? courier.courier_id : null,
  };
  return [row];
}

function statusOf({ status, payment_status }: OrderRow, random: Random): ShipmentStatus {
  if (status === 'processing') return 'rates_fetched';
  if (status === 'shipped') return random.chance(0.5) ? 'label_purchased' : 'in_transit';
  if (payment_status === 'refunded') return 'returned';
  return random.weighted({ delivered: 84, returned: 8, failed: 8 });
}

type Common = Pick<
  NewRow<'shipments'>,
  'order_id' | 'wanted_courier_id' | 'purchase_scope' | 'purchase_started_at' | 'created_at' | 'updated_at'
>;

function lockerParcel(common: Common, { index }: SampleOrder, order: OrderRow, random: Random): NewRow<'shipments'> {
  const parcel = `LK${String(index).padStart(10, '0')}`;
  if (order.status !== 'processing') order.tracking_number = parcel;
  return {
    ...common,
    status: 'created',
    provider: 'locker',
    provider_key: null,
    provider_shipment_id: parcel,
    courier_id: random.pick(LOCKERS),
    courier_name: null,
    cost_cents: null,
    tracking_number: parcel,
    label_url: null,
    parcel: null,
    options: '[]',
    tracking_events: '[]',
  };
}

function parcelOf(frame: OrderFrame, { priced }: SampleOrder, order: OrderRow): Parcel {
  return {
    from: null,
    to: {
      name: order.customer_name,
      line1: order.shipping_line1,
      line2: order.shipping_line2,
      city: order.shipping_city,
      state: order.shipping_state,
      postal_code: order.shipping_postal_code,
      country: order.shipping_country,
      phone: order.customer_phone,
      email: order.customer_email,
    },
    weight_grams: priced.lines.reduce((sum, { variant, quantity }) => sum + variant.product.weightGrams * quantity, 0),
    currency: frame.currency,
    currency_exponent: frame.currencyExponent,
  };
}

/** The tracking events that the courier has sent for a parcel with this status. */
function travels(status: ShipmentStatus, fromMs: number, nowMs: number, order: OrderRow): TrackingEvent[] {
  if (status === 'rates_fetched' || status === 'label_purchased') return [];
  const steps = status === 'in_transit' ? [status] : ['in_transit', status];
  return steps.map((step, i) => ({
    at: new Date(Math.min(nowMs, fromMs + (i + 1) * 20 * HOUR_MS)).toISOString(),
    status: step,
    description: step.replace('_', ' '),
    location: i === 0 ? 'Cork' : order.shipping_city,
  }));
}
