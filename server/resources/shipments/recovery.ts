import { randomUUID } from 'node:crypto';
import { readsOf } from '../../db/open.ts';
import { dropLeases, renewLeases, takeLease } from '../../db/queries/leases.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import type { Services } from '../../services.ts';
import { abandonPurchase, type Purchase, settlePurchase } from './purchase.ts';
import * as store from './store.ts';

const ENDPOINT = 'orders.buy_label';
const AT_ONCE = 20;
const SPARE_MS = 5000;
const PAUSE_MS = 3000;

/**
 * Settles purchases that no request holds any more, by asking the courier for the shop's key. A label that was bought is
 * stored. If none was, and no request can be on its way any more, the offers are valid again (spec SH4).
 */
export async function settlePurchases(services: Services, couriers: Couriers, nowMs: number = Date.now()): Promise<void> {
  const { store: db } = services;
  const open = await store.selectOpenPurchases(readsOf(db), AT_ONCE);
  for (const { id, order_id } of open) {
    await settle(services, couriers, { orderId: order_id, shipmentId: id, nowMs }).catch((error: unknown) =>
      services.log.warn({ err: error, shipment_id: id }, 'it is not known yet whether a label was bought; the courier will be asked again'),
    );
  }
}

type Open = { orderId: number; shipmentId: number; nowMs: number };

async function settle(services: Services, couriers: Couriers, { orderId, shipmentId, nowMs }: Open): Promise<void> {
  const holder = randomUUID();
  const taken = await services.transact(ENDPOINT, async (ctx) => {
    if (!(await takeLease(ctx, `shipment/${shipmentId}`, holder, couriers.answersWithinMs + SPARE_MS))) return null;
    const shipment = await store.selectShipment(ctx.db, orderId, shipmentId);
    const wanted = shipment?.options.find(({ courier_id }) => courier_id === shipment.wanted_courier_id);
    if (shipment?.status !== 'purchasing' || shipment.provider_key === null || !wanted) return null;
    const reference = { key: shipment.provider_key, id: shipment.provider_shipment_id };
    const { provider, options: offers, purchase_started_at: startedAt } = shipment;
    const settings = ctx.settings.courier;
    const purchase: Purchase = { orderId, shipmentId, provider, settings, reference, wanted, offers, isRepeat: true };
    return { purchase, startedAt };
  });
  if (!taken) return;
  const { purchase, startedAt } = taken;
  try {
    const courier = await couriers.of(purchase.provider, purchase.settings);
    const label = await courier.find(purchase.reference);
    const isOver = nowMs - Date.parse(startedAt ?? '') > couriers.settledWithinMs;
    if (label) await services.transact(ENDPOINT, (ctx) => settlePurchase(ctx, purchase, label));
    else if (isOver || startedAt === null) await services.transact(ENDPOINT, (ctx) => abandonPurchase(ctx, purchase));
  } catch (error) {
    // The lease is kept for a pause, because a courier that fails should not be asked again at once.
    const { store: db } = services;
    await db.write((tx) => renewLeases({ db: tx, dialect: db.dialect }, holder, PAUSE_MS));
    throw error;
  }
  await services.store.write((db) => dropLeases(db, holder));
}
