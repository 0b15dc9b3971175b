import { type Routes, read, write } from '../../verbs/route.ts';
import * as phoneOrders from './domain.ts';

export const phoneOrdersRoutes = {
  'orders.preview': read((ctx, { body }) => phoneOrders.previewPhoneOrder(ctx, body)),
  'orders.create': write((ctx, { body }) => phoneOrders.createPhoneOrder(ctx, body)),
} satisfies Partial<Routes>;
