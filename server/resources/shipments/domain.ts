import { randomBytes } from 'node:crypto';
import type { CourierOption, Shipment } from '../../../contract/shipments.ts';
import { orderVersionOf, rowVersion } from '../../db/queries/row-version.ts';
import { CourierRefused, type Offer, type Parcel, type Rates, type Tracking } from '../../providers/courier/courier.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import { changesBetween } from '../../verbs/changes.ts';
import type { Ctx, RandomBytes, Steps } from '../../verbs/context.ts';
import { notFound, Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { queueRefund } from '../label-refunds/domain.ts';
import { lockOrder, touchOrder } from '../orders/domain.ts';
import { readSettings } from '../settings/domain.ts';
import { contentsOf, hasLabel, isTerminal, missingAddressFields, statusReported } from './rules.ts';
import * as store from './store.ts';

const versionOf = orderVersionOf('shipments');
const orderVersion = rowVersion('orders');

export const recordVersions = {
  shipment: (db, { id, sid }) => versionOf(db, { orderId: Number(id), id: Number(sid) }),
  // Any name is accepted, unless the shop's settings list the locker networks (spec C11).
  locker_network: async (db, { order_id, locker_network: network }) => {
    const { locker_networks: known } = await readSettings(db);
    if (known.length > 0 && !known.includes(String(network))) return null;
    return orderVersion(db, { id: Number(order_id) });
  },
} satisfies RecordVersions;

export function listShipments(ctx: Ctx, orderId: number): Promise<Shipment[]> {
  return store.selectShipments(ctx.db, orderId);
}

export type Created = { shipment: Shipment; courier_options: CourierOption[] };

/** Asks the courier for rates between two transactions. If the courier does not answer, nothing is stored (spec SH2). */
export async function createShipment(couriers: Couriers, steps: Steps, orderId: number): Promise<(ctx: Ctx) => Promise<Created>> {
  const { parcel, contents, settings } = await steps.step((ctx) => consignmentOf(ctx, orderId));
  const courier = await couriers.of(settings.provider, settings).catch((cause: unknown) => {
    throw courierUnavailable(cause, 'gave no rates');
  });
  const key = keyFrom(randomBytes);
  const rates = await courier.rates(key, parcel, contents, settings).catch((cause: unknown) => {
    throw courierUnavailable(cause, 'gave no rates');
  });
  return (ctx) => addShipment(ctx, orderId, { provider: courier.name, key, parcel, rates });
}

/** Makes the shop's own key of a shipment, by which the courier finds it. */
export function keyFrom(random: RandomBytes): string {
  return `br_${random(18).toString('hex')}`;
}

export async function consignmentOf(ctx: Ctx, orderId: number) {
  const { status, to, currency, lines } = await store.selectConsignment(ctx.db, orderId);
  refuseCancelled(orderId, status);
  const missing = missingAddressFields(to);
  if (missing.length > 0) {
    throw new Refusal('not_shippable', `Order ${orderId} has no complete shipping address: ${missing.join(', ')} missing.`);
  }
  const { courier: settings, currency_exponent } = ctx.settings;
  const contents = contentsOf(lines, settings.default_weight_grams);
  const weight_grams = contents.reduce((sum, content) => sum + content.weight_grams, 0);
  return { settings, contents, parcel: { from: settings.sender, to, weight_grams, currency, currency_exponent } };
}

function refuseCancelled(orderId: number, status: string): void {
  if (status === 'cancelled') throw new Refusal('order_cancelled', `Order ${orderId} is cancelled, so nothing can be sent for it.`);
}

type Asked = { provider: string; key: string; parcel: Parcel; rates: Rates };

export async function addShipment(ctx: Ctx, orderId: number, { provider, key, parcel, rates }: Asked): Promise<Created> {
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
  await touchOrder(ctx, orderId);
  ctx.audit({
    resource: { type: 'shipment', id: shipment.id },
    orderId,
    changes: { status: [null, shipment.status] },
    summary: `Order ${orderId}: shipment ${shipment.id} opened, ${rates.offers.length} offers of couriers`,
  });
  return { shipment: store.toWire(shipment), courier_options: rates.offers.map(toOption) };
}

function toOption({ rate_id: _, ...option }: Offer): CourierOption {
  return option;
}

/**
 * Asks the courier where the parcel is. A locker's parcel, and one that is delivered, returned or failed, is not asked about
 * (spec SH6).
 */
export async function refreshShipment(
  couriers: Couriers,
  steps: Steps,
  { id: orderId, sid: shipmentId }: { id: number; sid: number },
): Promise<(ctx: Ctx) => Promise<Shipment>> {
  const { shipment, settings } = await steps.step(async (ctx) => ({
    shipment: await shipmentOf(ctx, orderId, shipmentId),
    settings: ctx.settings.courier,
  }));
  const { status, provider, provider_key: key, provider_shipment_id: id } = shipment;
  refuseLabelless(shipment);
  if (key === null || isTerminal(status)) return (ctx) => storeTracking(ctx, orderId, shipmentId, null);
  let tracking: Tracking | null;
  try {
    const courier = await couriers.of(provider, settings);
    tracking = await courier.track({ key, id });
  } catch (cause) {
    throw courierUnavailable(cause, 'did not tell where the parcel is');
  }
  return (ctx) => storeTracking(ctx, orderId, shipmentId, tracking);
}

export function refuseLabelless({ id, status }: store.StoredShipment): void {
  if (status !== 'rates_fetched' && status !== 'purchasing') return;
  throw new Refusal('no_label', `Shipment ${id} has no label yet, so there is nothing to track; buy a label first.`);
}

export async function shipmentOf(ctx: Ctx, orderId: number, shipmentId: number): Promise<store.StoredShipment> {
  const shipment = await store.selectShipment(ctx.db, orderId, shipmentId);
  if (!shipment) throw notFound('shipment', shipmentId);
  return shipment;
}

export async function storeTracking(ctx: Ctx, orderId: number, shipmentId: number, tracking: Tracking | null): Promise<Shipment> {
  await lockOrder(ctx, orderId);
  const before = await shipmentOf(ctx, orderId, shipmentId);
  const wanted =
    tracking && !isTerminal(before.status)
      ? { status: statusReported(before.status, tracking.status), tracking_events: tracking.events }
      : {};
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length > 0) {
    await store.updateShipment(ctx.db, shipmentId, wanted, ctx.now);
    await touchOrder(ctx, orderId);
  }
  const { status } = changes;
  ctx.audit({
    resource: { type: 'shipment', id: shipmentId },
    orderId,
    changes: status ? { status } : {},
    summary: `Order ${orderId}: shipment ${shipmentId} ${status ? `${before.status} → ${wanted.status}` : 'as before'}`,
  });
  return store.toWire({ ...before, ...wanted });
}

/** Deletes a shipment in any state. If its label was bought, or may have been by now, a refund is queued (spec SH8). */
export async function deleteShipment(ctx: Ctx, couriers: Couriers, orderId: number, shipmentId: number): Promise<undefined> {
  await lockOrder(ctx, orderId);
  const shipment = await shipmentOf(ctx, orderId, shipmentId);
  const { provider_key, status, provider, provider_shipment_id, courier_name, tracking_number } = shipment;
  const isRefunded = provider_key !== null && hasLabel(status);
  if (isRefunded) {
    const perhaps_until = status === 'purchasing' ? new Date(Date.parse(ctx.now) + couriers.settledWithinMs).toISOString() : null;
    const label = { provider, provider_key, provider_shipment_id, courier_name, tracking_number, perhaps_until };
    await queueRefund(ctx, { shipment_id: shipmentId, order_id: orderId, ...label });
  }
  await store.deleteShipment(ctx.db, shipmentId);
  await touchOrder(ctx, orderId);
  const shown = store.toWire(shipment).status;
  ctx.audit({
    resource: { type: 'shipment', id: shipmentId },
    orderId,
    changes: { status: [shown, null] },
    summary: `Order ${orderId}: shipment ${shipmentId} removed${isRefunded ? '; its label is sent for refund' : ''}`,
  });
}

/** Records a parcel that was handed to a network of lockers outside the shop; an order may have only one such record (spec SH9). */
export async function createLockerShipment(ctx: Ctx, orderId: number, network: string, parcelId: string): Promise<{ id: number }> {
  await lockOrder(ctx, orderId);
  if (await store.hasShipments(ctx.db, orderId)) {
    throw new Refusal('shipment_exists', `Order ${orderId} already has a shipment; a locker shipment must be its only one.`);
  }
  const { id } = await store.insertShipment(ctx.db, {
    order_id: orderId,
    status: 'created',
    provider: 'locker',
    provider_key: null,
    provider_shipment_id: parcelId,
    courier_id: network,
    tracking_number: parcelId,
    parcel: null,
    options: [],
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await touchOrder(ctx, orderId);
  ctx.audit({
    resource: { type: 'shipment', id },
    orderId,
    changes: { status: [null, 'created'], courier_id: [null, network], tracking_number: [null, parcelId] },
    summary: `Order ${orderId}: parcel ${parcelId} of ${network} recorded as shipment ${id}`,
  });
  return { id };
}

export function courierUnavailable(cause: unknown, what: string): Refusal {
  const said = cause instanceof Error ? cause.message : String(cause);
  const who = cause instanceof CourierRefused ? 'The courier refused and' : 'The courier';
  return new Refusal('courier_unavailable', `${who} ${what}: ${said}`, { cause });
}

/** Blanks the recipients, and hides the labels that were bought. What the courier keeps is not affected. */
export async function forgetRecipients(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  await store.blankRecipients(ctx, orderIds);
}
