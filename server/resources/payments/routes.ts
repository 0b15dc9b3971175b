import { type Routes, read, write } from '../../verbs/route.ts';
import * as payments from './domain.ts';

export const paymentsRoutes = {
  'orders.list_payments': read((ctx, { params }) => payments.listPayments(ctx, params.order_id)),
  'orders.create_payment': write((ctx, { params, body }) => payments.createPayment(ctx, params.order_id, body)),
  'orders.reorder_payments': write((ctx, { params, body }) => payments.reorderPayments(ctx, params.order_id, body)),
  'orders.update_payment': write((ctx, { params, body }) => payments.updatePayment(ctx, params.order_id, params.id, body)),
  'orders.delete_payment': write((ctx, { params }) => payments.deletePayment(ctx, params.order_id, params.id)),
} satisfies Partial<Routes>;
