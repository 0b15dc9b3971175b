import { type Routes, read, write } from '../../verbs/route.ts';
import * as orders from './domain.ts';
import * as status from './status.ts';
import { previewStatus } from './status-preview.ts';

export const ordersRoutes = {
  'orders.get': read((ctx, { params }) => orders.getOrder(ctx, params.id)),
  'orders.update_status': write((ctx, { params, body }) => status.updateStatus(ctx, params.id, body.status)),
  'orders.bulk_status': write((ctx, { body }) => status.updateStatuses(ctx, body)),
  'orders.preview_status': read((ctx, { body }) => previewStatus(ctx, body), { isHeavy: () => true }),
  'orders.update_payment_status': write((ctx, { params, body }) => orders.updatePaymentStatus(ctx, params.id, body.payment_status)),
  'orders.update_shipping': write((ctx, { params, body }) =>
    status.updateShipping(ctx, params.id, body.tracking_number, body.status ?? null),
  ),
  'orders.update_delivery_date': write((ctx, { params, body }) => orders.updateDeliveryDate(ctx, params.id, body.delivery_date)),
  'orders.update_test_flag': write((ctx, { params, body }) => orders.updateTestFlag(ctx, params.id, body.is_test)),
  'orders.update_internal_status': write((ctx, { params, body }) => orders.updateInternalStatus(ctx, params.id, body.internal_status_id)),
} satisfies Partial<Routes>;
