import type { Handlers, StepsHandlers } from '../../http/handlers.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import * as shipments from './domain.ts';
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
