import type { InputOf } from '../../../contract/endpoint.ts';
import type { OrderDetail, OrderStatus, ordersList, PaymentStatus } from '../../../contract/orders.ts';
import { fold } from '../../../contract/values.ts';
import { type AuditEntry, actingAdmin, type Ctx } from '../../context.ts';
import { instantsOf } from '../../dates.ts';
import type { SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import { notFound, refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { armDownloads, downloadsOf, revokeDownloads } from '../downloads/domain.ts';
import { holdOrderStatus } from '../order-statuses/domain.ts';
import { returnStock, stockHeldBy, takeStock } from '../products/domain.ts';
import { amountBound, payment, stockEffect } from './rules.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  order: (db, { id }) => store.selectOrderVersion(db, Number(id)),
};

const sortColumns: Record<string, SortColumn> = {
  customer_name: { name: 'customer_name_folded', type: 'text' },
  total: { name: 'total', type: 'integer' },
  status: { name: 'status', type: 'text' },
  created_at: { name: 'created_at', type: 'text' },
};

export async function listOrders(ctx: Ctx, query: InputOf<typeof ordersList>['query']) {
  const filter = filterOf(ctx, query);
  const reading = readingOf(query, query.sort, sortColumns);
  const keys = await store.selectOrderKeys(ctx, filter, reading);
  const total = await store.countOrders(ctx, filter);
  const rows = await store.selectOrderRows(
    ctx.db,
    keys.map(({ id }) => id),
  );
  return pageForm(reading, total, keys, rows);
}

function filterOf({ settings }: Ctx, query: InputOf<typeof ordersList>['query']): store.OrderFilter {
  const bound = (text: string | undefined, side: 'min' | 'max') =>
    text === undefined ? null : amountBound(text, settings.currency_exponent, side);
  const created = instantsOf({ from: query.created_from, to: query.created_to, timeZone: settings.timezone });
  return {
    tests: query.test_only ? 'only' : query.include_test ? 'with' : 'without',
    searchFolded: fold(query.search ?? ''),
    status: query.status,
    paymentStatus: query.payment_status,
    totalMin: bound(query.total_min, 'min'),
    totalMax: bound(query.total_max, 'max'),
    createdFrom: created.from,
    createdBefore: created.before,
  };
}

export async function getOrder(ctx: Ctx, id: number): Promise<OrderDetail> {
  const order = await store.selectOrder(ctx.db, id);
  if (!order) throw notFound('order', id);
  const items = await store.selectItems(ctx.db, id);
  return { ...order, items, ...payment(order), downloads: await downloadsOf(ctx, id) };
}

export async function updateStatus(ctx: Ctx, id: number, status: OrderStatus): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  await moveStock(ctx, id, order.status, status);
  await change(ctx, id, order, { status });
}

export async function updatePaymentStatus(ctx: Ctx, id: number, paymentStatus: PaymentStatus): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  const becomesPaid = paymentStatus === 'paid' && order.payment_status !== 'paid' && !(await store.wasEverPaid(ctx.db, id));
  await change(ctx, id, order, { payment_status: paymentStatus });
  if (becomesPaid) ctx.emit({ type: 'order.paid', data: { order_id: id, total: order.total, currency: order.currency } });
}

/** `status` null: unchanged (decisions.md O19). */
export async function updateShipping(ctx: Ctx, id: number, trackingNumber: string, status: OrderStatus | null): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  if (status !== null) await moveStock(ctx, id, order.status, status);
  await change(ctx, id, order, { tracking_number: trackingNumber, ...(status === null ? {} : { status }) });
}

export async function updateDeliveryDate(ctx: Ctx, id: number, deliveryDate: string | null): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  const before = order.delivery_date;
  await change(
    ctx,
    id,
    order,
    { delivery_date: deliveryDate },
    {
      summary: `Order ${id}: delivery date ${before ?? 'none'} → ${deliveryDate ?? 'none'}`,
      detail: { order_id: id, before, after: deliveryDate, admin_id: actingAdmin(ctx).adminId },
    },
  );
}

export async function updateTestFlag(ctx: Ctx, id: number, isTest: boolean): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  await change(ctx, id, order, { is_test: isTest });
}

export async function updateInternalStatus(ctx: Ctx, id: number, internalStatusId: number | null) {
  const order = await lockOrder(ctx, id);
  if (internalStatusId !== null && !(await holdOrderStatus(ctx, internalStatusId))) {
    throw refuseValue('internal_status_not_found', '/internal_status_id', `there is no internal status ${internalStatusId}`);
  }
  await change(ctx, id, order, { internal_status_id: internalStatusId });
  return { id, internal_status_id: internalStatusId };
}

async function lockOrder(ctx: Ctx, id: number) {
  const order = await store.lockOrder(ctx, id);
  if (!order) throw notFound('order', id);
  return order;
}

/** A cancelled order gives back what has not left; one that lives again needs it anew, less what it still holds. */
async function moveStock(ctx: Ctx, orderId: number, before: OrderStatus, after: OrderStatus): Promise<void> {
  const effect = stockEffect(before, after);
  if (effect === null) return;
  const wishes = await store.selectWishes(ctx.db, orderId);
  if (effect === 'return') return returnStock(ctx, wishes, { reason: 'order cancelled', orderId });
  const held = await stockHeldBy(
    ctx,
    orderId,
    wishes.map(({ variant_id }) => variant_id),
  );
  const missing = wishes.map((wish) => {
    const kept = Math.min(held.get(wish.variant_id) ?? 0, wish.quantity);
    held.set(wish.variant_id, (held.get(wish.variant_id) ?? 0) - kept);
    return { ...wish, quantity: wish.quantity - kept };
  });
  await takeStock(ctx, missing, { reason: 'order reopened', orderId });
}

/** Writes what differs; a change to the same value is noted and leaves the record's version alone. */
async function change(
  ctx: Ctx,
  id: number,
  order: store.OrderState,
  wanted: Partial<store.OrderState>,
  entry: Pick<AuditEntry, 'detail'> & { summary?: string } = {},
): Promise<void> {
  const changes = changesBetween(order, wanted);
  const renewed = wanted.status !== undefined && (await moveDownloads(ctx, id, wanted.status));
  if (renewed || Object.keys(changes).length > 0) await store.updateOrder(ctx.db, id, wanted, ctx.now);
  ctx.audit({ resource: { type: 'order', id }, changes, summary: `Order ${id}: ${inWords(changes)}`, ...entry });
  if (changes['status']) {
    ctx.emit({ type: 'order.status_changed', data: { order_id: id, status: wanted.status, previous_status: order.status } });
  }
}

/** Digital lines of a delivered order get their links, those of a cancelled one lose them; whether new ones are to be seen. */
async function moveDownloads(ctx: Ctx, orderId: number, after: OrderStatus): Promise<boolean> {
  if (after === 'cancelled') await revokeDownloads(ctx, orderId);
  return after === 'delivered' && (await armDownloads(ctx, orderId)) > 0;
}

function changesBetween(before: store.OrderState, wanted: Partial<store.OrderState>): AuditEntry['changes'] {
  const known = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(wanted).filter(([field, value]) => known.get(field) !== value);
  return Object.fromEntries(differing.map(([field, value]) => [field, [known.get(field), value]]));
}

function inWords(changes: AuditEntry['changes']): string {
  const parts = Object.entries(changes).map(([field, [before, after]]) => `${field} ${before ?? 'none'} → ${after ?? 'none'}`);
  return parts.length > 0 ? parts.join(', ') : 'no change';
}
