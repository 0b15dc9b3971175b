import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type OrderStatusPreview, orderStatuses } from '../../../contract/orders.ts';
import type { Ctx } from '../../verbs/context.ts';
import { ORDER_CANCELLED } from '../products/rules.ts';
import * as store from './status-preview-store.ts';

/** What a change of the status would do (spec O15, O16, O29): to orders that have the status already, nothing. */
export async function previewStatus(ctx: Ctx, { ids, status }: BodyOf<Endpoints['orders.preview_status']>): Promise<OrderStatusPreview> {
  const orders = await store.selectStatuses(ctx, ids);
  const changing = orders.filter((order) => order.status !== status).map(({ id }) => id);
  const from = orderStatuses.flatMap((one) => {
    const its = orders.filter((order) => order.status === one).map(({ id }) => id);
    return its.length === 0 ? [] : [{ status: one, ids: its }];
  });
  const events = ['order.status_changed', ...(status === 'cancelled' ? ['order.cancelled'] : [])];
  return {
    from,
    ...none,
    ...(status === 'cancelled' ? await store.selectLosses(ctx, changing, ctx.now, ORDER_CANCELLED) : {}),
    ...(status === 'delivered' ? { new_downloads: await store.countNewDownloads(ctx, changing) } : {}),
    ...(changing.length > 0 ? { started_tasks: await store.countListeningTasks(ctx.db, events) } : {}),
  };
}

const none = {
  returned_pieces: 0,
  sent_orders: 0,
  returned_vouchers: 0,
  paid_orders: 0,
  bought_labels: 0,
  ended_downloads: 0,
  ended_accesses: 0,
  new_downloads: 0,
  started_tasks: 0,
};
