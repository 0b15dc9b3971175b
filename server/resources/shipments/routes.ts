import { type Handlers, type InsideHandlers, OUTSIDE, type Samples, type StepsHandlers } from '../../http/handlers.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import * as shipments from './domain.ts';
import * as inside from './inside.ts';
import { buyLabel } from './purchase.ts';

export function shipmentsRoutes(couriers: Couriers): Handlers {
  return {
    'orders.list_shipments': (ctx, { params }) => shipments.listShipments(ctx, params.id),
    'orders.delete_shipment': (ctx, { params }) => shipments.deleteShipment(ctx, couriers, params.id, params.sid),
    'orders.create_locker_shipment': (ctx, { params, body }) =>
      shipments.createLockerShipment(ctx, params.order_id, params.locker_network, body.provider_shipment_id),
  };
}

export function shipmentsSteps(couriers: Couriers): StepsHandlers {
  return {
    'orders.create_shipment': (steps, { params }) => shipments.createShipment(couriers, steps, params.id),
    'orders.buy_label': (steps, { params, body }) => buyLabel(couriers, steps, params, body.courier_id),
    'orders.refresh_shipment': (steps, { params }) => shipments.refreshShipment(couriers, steps, params),
  };
}

/** The shop's own courier is nobody outside. */
export function shipmentsInside(couriers: Couriers): InsideHandlers {
  return {
    'orders.create_shipment': async (ctx, { params }) => (await inside.createShipment(ctx, couriers, params.id)) ?? OUTSIDE,
    'orders.buy_label': async (ctx, { params, body }) => (await inside.buyLabel(ctx, couriers, params, body.courier_id)) ?? OUTSIDE,
    'orders.refresh_shipment': async (ctx, { params }) => (await inside.refreshShipment(ctx, params)) ?? OUTSIDE,
  };
}

export const shipmentsSamples: Samples = {
  'orders.create_shipment': (ctx, { params }) => inside.sampleShipment(ctx, params.id),
  'orders.buy_label': (ctx, { params, body }) => inside.sampleLabel(ctx, params, body.courier_id),
  'orders.refresh_shipment': (ctx, { params }) => inside.sampleTracking(ctx, params),
};
