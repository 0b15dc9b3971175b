import { randomBytes } from 'node:crypto';
import type { CourierOption, Shipment } from '../../../contract/shipments.ts';
import type { Ctx, Steps } from '../../context.ts';
import { Refusal } from '../../problem.ts';
import { CourierRefused, type Offer, type Parcel, type Rates } from '../../providers/courier/courier.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { lockOrder } from '../orders/domain.ts';
import { missingAddressFields, weightOf } from './rules.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  shipment: (db, { id, sid }) => store.selectOrderVersion(db, Number(id), Number(sid)),
};

export function listShipments(ctx: Ctx, orderId: number): Promise<Shipment[]> {
  return store.selectShipments(ctx.db, orderId);
}

type Created = { shipment: Shipment; courier_options: CourierOption[] };

/** Rates are asked for between two transactions; where the courier does not answer nothing is stored (decisions.md SH2). */
export async function createShipment(couriers: Couriers, steps: Steps, orderId: number): Promise<(ctx: Ctx) => Promise<Created>> {
  const { parcel, settings } = await steps.step((ctx) => consignmentOf(ctx, orderId));
  const courier = couriers.named(settings.provider);
  const key = `br_${randomBytes(18).toString('hex')}`;
  const rates = await courier.rates(key, parcel, settings).catch((cause: unknown) => {
    throw courierUnavailable(cause, 'gave no rates');
  });
  return (ctx) => addShipment(ctx, orderId, { provider: courier.name, key, parcel, rates });
}

async function consignmentOf(ctx: Ctx, orderId: number) {
  const { status, to, currency, lines } = await store.selectConsignment(ctx.db, orderId);
  refuseCancelled(orderId, status);
  const missing = missingAddressFields(to);
  if (missing.length > 0) {
    throw new Refusal('not_shippable', `Order ${orderId} has no shipping address to send a parcel to: ${missing.join(', ')} missing.`);
  }
  const { courier: settings, currency_exponent } = ctx.settings;
  const weight_grams = weightOf(lines, settings.default_weight_grams);
  return { settings, parcel: { from: settings.sender, to, weight_grams, currency, currency_exponent } };
}

function refuseCancelled(orderId: number, status: string): void {
  if (status === 'cancelled') throw new Refusal('order_cancelled', `Order ${orderId} is cancelled; nothing is sent for it.`);
}

type Asked = { provider: string; key: string; parcel: Parcel; rates: Rates };

async function addShipment(ctx: Ctx, orderId: number, { provider, key, parcel, rates }: Asked): Promise<Created> {
  const order = await lockOrder(ctx, orderId);
  refuseCancelled(orderId, order.status);
  const shipment = await store.insertShipment(ctx.db, {
    order_id: orderId,
    status: 'rates_fetched',
    provider,
    provider_key: key,
    provider_shipment_id: rates.id,
    parcel,
    options: rates.offers,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'shipment', id: shipment.id },
    changes: { status: [null, shipment.status] },
    summary: `Order ${orderId}: shipment ${shipment.id} opened, ${rates.offers.length} offers of couriers`,
  });
  return { shipment: store.toWire(shipment), courier_options: rates.offers.map(toOption) };
}

function toOption({ rate_id: _, ...option }: Offer): CourierOption {
  return option;
}

export function courierUnavailable(cause: unknown, what: string): Refusal {
  const said = cause instanceof Error ? cause.message : String(cause);
  const who = cause instanceof CourierRefused ? 'The courier refused and' : 'The courier';
  return new Refusal('courier_unavailable', `${who} ${what}: ${said}`, { cause });
}
