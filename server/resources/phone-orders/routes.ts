import type { Handlers } from '../../http/handlers.ts';
import * as phoneOrders from './domain.ts';

export const phoneOrdersRoutes: Handlers = {
  'orders.preview': (ctx, { body }) => phoneOrders.previewPhoneOrder(ctx, body),
  'orders.create': (ctx, { body }) => phoneOrders.createPhoneOrder(ctx, body),
};
