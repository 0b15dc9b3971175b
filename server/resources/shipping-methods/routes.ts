import type { Handlers } from '../../http/handlers.ts';
import * as shippingMethods from './domain.ts';

export const shippingMethodsRoutes: Handlers = {
  'shipping_methods.list': (ctx, { query }) => shippingMethods.listShippingMethods(ctx, query),
  'shipping_methods.create': (ctx, { body }) => shippingMethods.createShippingMethod(ctx, body),
  'shipping_methods.get': (ctx, { params }) => shippingMethods.getShippingMethod(ctx, params.id),
  'shipping_methods.update': (ctx, { params, body }) => shippingMethods.updateShippingMethod(ctx, params.id, body),
  'shipping_methods.delete': (ctx, { params }) => shippingMethods.deleteShippingMethod(ctx, params.id),
};
