import type { CourierOption, Shipment } from '../../../contract/shipments.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import { manual } from '../../providers/courier/manual.ts';
import { SAMPLE_ID } from '../../values/staged-range.ts';
import type { Ctx } from '../../verbs/context.ts';
import { lockOrder } from '../orders/domain.ts';
import { addShipment, type Created, consignmentOf, keyFrom, refuseLabelless, shipmentOf, storeTracking } from './domain.ts';
import { alreadyPurchased, beginPurchase, offerOf, settlePurchase } from './purchase.ts';
import { isTerminal } from './rules.ts';
import * as store from './store.ts';

/**
 * Shipments in a dry run. The built-in courier `manual` is part of the shop, so its real answers are used, in one
 * transaction. For another courier these functions return null, and the dry run gets a sample.
 */

type Ids = { id: number; sid: number };

export async function createShipment(ctx: Ctx, couriers: Couriers, orderId: number): Promise<Created | null> {
  const { parcel, contents, settings } = await consignmentOf(ctx, orderId);
  if (settings.provider !== manual.name) return null;
  const courier = await couriers.of(settings.provider, settings);
  const key = keyFrom(ctx.random);
  const rates = await courier.rates(key, parcel, contents, settings);
  return addShipment(ctx, orderId, { provider: courier.name, key, parcel, rates });
}

export async function buyLabel(ctx: Ctx, couriers: Couriers, { id: orderId, sid }: Ids, courierId: string): Promise<Shipment | null> {
  await lockOrder(ctx, orderId);
  const { provider, status } = await shipmentOf(ctx, orderId, sid);
  if (provider !== manual.name) return null;
  // A purchase that is under way is settled by the request that began it.
  const once = { scope: null, hold: async () => status !== 'purchasing' };
  const purchase = await beginPurchase(once, ctx, orderId, sid, courierId);
  if (typeof purchase === 'string') throw new Error(`a purchase without a key cannot be ${purchase}`);
  const courier = await couriers.of(purchase.provider, purchase.settings);
  return settlePurchase(ctx, purchase, await courier.buy(purchase.reference, purchase.wanted));
}

/** A locker's parcel, and one that has arrived, is never asked about, so it needs no courier either. */
export async function refreshShipment(ctx: Ctx, { id: orderId, sid }: Ids): Promise<Shipment | null> {
  const shipment = await shipmentOf(ctx, orderId, sid);
  refuseLabelless(shipment);
  const isOurs = shipment.provider === manual.name || shipment.provider_key === null || isTerminal(shipment.status);
  return isOurs ? storeTracking(ctx, orderId, sid, null) : null;
}

const sampleOptions: readonly CourierOption[] = [
  { courier_id: 'sample-standard', courier_name: 'Sample Standard', cost: 590, delivery_estimate: '2-4 working days' },
  { courier_id: 'sample-express', courier_name: 'Sample Express', cost: 1290, delivery_estimate: '1 working day' },
];

/** A sample of a shipment. It is refused for the same reasons as a real one, as far as they are known before the courier is asked. */
export async function sampleShipment(ctx: Ctx, orderId: number): Promise<Created> {
  await consignmentOf(ctx, orderId);
  return { shipment: ofSample(ctx, orderId), courier_options: [...sampleOptions] };
}

export async function sampleLabel(ctx: Ctx, { id: orderId, sid }: Ids, courierId: string): Promise<Shipment> {
  if (sid === SAMPLE_ID) return { ...ofSample(ctx, orderId), ...labelOf(offerOf(sampleOptions, courierId)) };
  const shipment = await shipmentOf(ctx, orderId, sid);
  const wanted = offerOf(shipment.options, courierId);
  if (shipment.status !== 'rates_fetched')
    throw alreadyPurchased(`The label was bought from ${shipment.courier_id ?? courierId}, or is being bought.`);
  return { ...store.toWire(shipment), ...labelOf(wanted) };
}

export async function sampleTracking(ctx: Ctx, { id: orderId, sid }: Ids): Promise<Shipment> {
  if (sid === SAMPLE_ID) return { ...ofSample(ctx, orderId), ...labelOf(sampleOptions[0]) };
  const shipment = await shipmentOf(ctx, orderId, sid);
  return store.toWire(shipment);
}

function ofSample(ctx: Ctx, orderId: number): Shipment {
  const nothingYet = { courier_id: null, courier_name: null, tracking_number: null, label_url: null, cost_cents: null };
  return { id: SAMPLE_ID, order_id: orderId, status: 'rates_fetched', ...nothingYet, created_at: ctx.now, tracking_events: [] };
}

function labelOf(option: CourierOption | undefined): Partial<Shipment> {
  return {
    status: 'label_purchased',
    courier_id: option?.courier_id ?? null,
    courier_name: option?.courier_name ?? null,
    cost_cents: option?.cost ?? null,
    tracking_number: 'SAMPLE',
  };
}
