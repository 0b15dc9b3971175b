import { type Routes, read, write } from '../../verbs/route.ts';
import * as shippingMethods from './domain.ts';

export const shippingMethodsRoutes = {
  'shipping_methods.list': read((ctx, { query }) => shippingMethods.listShippingMethods(ctx, query)),
  'shipping_methods.create': write((ctx, { body }) => shippingMethods.createShippingMethod(ctx, body)),
  'shipping_methods.get': read((ctx, { params }) => shippingMethods.getShippingMethod(ctx, params.id)),
  'shipping_methods.update': write((ctx, { params, body }) => shippingMethods.updateShippingMethod(ctx, params.id, body)),
  'shipping_methods.delete': write((ctx, { params }) => shippingMethods.deleteShippingMethod(ctx, params.id)),
} satisfies Partial<Routes>;
