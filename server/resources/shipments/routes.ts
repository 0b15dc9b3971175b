import { OUTSIDE, type Routes, read, steps, write } from '../../verbs/route.ts';
import * as shipments from './domain.ts';
import * as inside from './inside.ts';
import { buyLabel } from './purchase.ts';

/** The built-in courier is part of the shop, so a dry run needs nobody outside for it. */
export const shipmentsRoutes = {
  'orders.list_shipments': read((ctx, { params }) => shipments.listShipments(ctx, params.id)),
  'orders.delete_shipment': write((ctx, { params }) => shipments.deleteShipment(ctx, ctx.services.couriers, params.id, params.sid)),
  'orders.create_locker_shipment': write((ctx, { params, body }) =>
    shipments.createLockerShipment(ctx, params.order_id, params.locker_network, body.provider_shipment_id),
  ),
  'orders.create_shipment': steps((asking, { params }) => shipments.createShipment(asking.services.couriers, asking, params.id), {
    inside: async (ctx, { params }) => (await inside.createShipment(ctx, ctx.services.couriers, params.id)) ?? OUTSIDE,
    sample: (ctx, { params }) => inside.sampleShipment(ctx, params.id),
  }),
  'orders.buy_label': steps((asking, { params, body }) => buyLabel(asking.services.couriers, asking, params, body.courier_id), {
    inside: async (ctx, { params, body }) => (await inside.buyLabel(ctx, ctx.services.couriers, params, body.courier_id)) ?? OUTSIDE,
    sample: (ctx, { params, body }) => inside.sampleLabel(ctx, params, body.courier_id),
  }),
  'orders.refresh_shipment': steps((asking, { params }) => shipments.refreshShipment(asking.services.couriers, asking, params), {
    inside: async (ctx, { params }) => (await inside.refreshShipment(ctx, params)) ?? OUTSIDE,
    sample: (ctx, { params }) => inside.sampleTracking(ctx, params),
  }),
} satisfies Partial<Routes>;
