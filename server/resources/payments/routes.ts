import type { Handlers } from '../../http/handlers.ts';
import * as payments from './domain.ts';

export const paymentsRoutes: Handlers = {
  'orders.list_payments': (ctx, { params }) => payments.listPayments(ctx, params.order_id),
  'orders.create_payment': (ctx, { params, body }) => payments.createPayment(ctx, params.order_id, body),
  'orders.reorder_payments': (ctx, { params, body }) => payments.reorderPayments(ctx, params.order_id, body),
  'orders.update_payment': (ctx, { params, body }) => payments.updatePayment(ctx, params.order_id, params.id, body),
  'orders.delete_payment': (ctx, { params }) => payments.deletePayment(ctx, params.order_id, params.id),
};
