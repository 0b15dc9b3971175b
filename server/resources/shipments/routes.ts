import type { Handlers, StepsHandlers } from '../../http/handlers.ts';
import type { Couriers } from '../../providers/courier/couriers.ts';
import * as shipments from './domain.ts';

export const shipmentsRoutes: Handlers = {
  'orders.list_shipments': (ctx, { params }) => shipments.listShipments(ctx, params.id),
};

export function shipmentsSteps(couriers: Couriers): StepsHandlers {
  return {
    'orders.create_shipment': (steps, { params }) => shipments.createShipment(couriers, steps, params.id),
  };
}
