import { getRecord, listRecords } from '../../verbs/record-verbs.ts';
import { type Routes, read, write } from '../../verbs/route.ts';
import { createShippingMethod, deleteShippingMethod, shippingMethods, updateShippingMethod } from './domain.ts';

export const shippingMethodsRoutes = {
  'shipping_methods.list': read((ctx, { query }) => listRecords(ctx, shippingMethods, query)),
  'shipping_methods.create': write((ctx, { body }) => createShippingMethod(ctx, body)),
  'shipping_methods.get': read((ctx, { params }) => getRecord(ctx, shippingMethods, params.id)),
  'shipping_methods.update': write((ctx, { params, body }) => updateShippingMethod(ctx, params.id, body)),
  'shipping_methods.delete': write((ctx, { params }) => deleteShippingMethod(ctx, params.id)),
} satisfies Partial<Routes>;
