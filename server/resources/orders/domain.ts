import type { OrderDetail, OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import { type AuditEntry, actingAdmin, type Ctx } from '../../context.ts';
import { notFound, refuseValue } from '../../problem.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { armDownloads, downloadsOf, revokeDownloads } from '../downloads/domain.ts';
import { holdOrderStatus } from '../order-statuses/domain.ts';
import { returnStock, stockHeldBy, takeStock } from '../products/domain.ts';
import { amountPaid, payment, stockEffect } from './rules.ts';
import * as store from './store.ts';

export type LockedOrder = store.LockedOrder;

export const recordVersions: RecordVersions = {
  order: (db, { order_id, id }) => store.selectOrderVersion(db, Number(order_id ?? id)),
};

export async function getOrder(ctx: Ctx, id: number): Promise<OrderDetail> {
  const order = await store.selectOrder(ctx.db, id);
  if (!order) throw notFound('order', id);
  const items = await store.selectItems(ctx.db, id);
  const { paid_amount: _, ...shown } = order;
  return { ...shown, items, ...payment(order), downloads: await downloadsOf(ctx, id) };
}

export async function updateStatus(ctx: Ctx, id: number, status: OrderStatus): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  await moveStock(ctx, id, order.status, status);
  await change(ctx, id, order, { status });
}

export async function updatePaymentStatus(ctx: Ctx, id: number, paymentStatus: PaymentStatus): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  if (await setPaymentStatus(ctx, order, paymentStatus)) return;
  ctx.audit({ resource: { type: 'order', id }, changes: {}, summary: `Order ${id}: no change` });
}

type Payments = {
  /** What has come in; default: what the status tells. */
  paidAmount?: number;
  /** The status before the first payment record; null: there are no records. Default: as it is. */
  base?: PaymentStatus | null;
};

/**
 * Sets the payment status and what has come in, with its audit entry; the first time an order is paid is marked, and
 * told as `order.paid`. False, and nothing is noted, where it stood so already. `order` is locked.
 */
export async function setPaymentStatus(
  ctx: Ctx,
  order: LockedOrder,
  status: PaymentStatus,
  { paidAmount = amountPaid(order, status), base = order.base_payment_status }: Payments = {},
): Promise<boolean> {
  const stood = { payment_status: order.payment_status, paid_amount: payment(order).paid_total_cents };
  const changes = changesBetween(stood, { payment_status: status, paid_amount: paidAmount });
  const isChanged = Object.keys(changes).length > 0;
  if (!isChanged && base === order.base_payment_status) return false;
  const paidBefore = order.first_paid_at ?? (order.payment_status === 'paid' ? order.created_at : null);
  const first_paid_at = paidBefore ?? (status === 'paid' ? ctx.now : null);
  const wanted = { payment_status: status, paid_amount: paidAmount, first_paid_at, base_payment_status: base };
  await store.updateOrder(ctx.db, order.id, wanted, ctx.now);
  if (!isChanged) return false;
  ctx.audit({ resource: { type: 'order', id: order.id }, changes, summary: `Order ${order.id}: ${inWords(changes)}` });
  if (status === 'paid' && paidBefore === null) tellPaid(ctx, order);
  if (status === 'refunded' && order.payment_status !== 'refunded') ctx.emit({ type: 'order.refunded', data: { order_id: order.id } });
  return true;
}

/** Once in the life of an order: triggers and entitlements follow it. */
export function tellPaid(ctx: Ctx, { id, total, currency }: Pick<LockedOrder, 'id' | 'total' | 'currency'>): void {
  ctx.emit({ type: 'order.paid', data: { order_id: id, total, currency } });
}

/** Counts the order as changed: for a write below it that it shows. */
export async function touchOrder(ctx: Ctx, id: number): Promise<void> {
  await store.updateOrder(ctx.db, id, {}, ctx.now);
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

/** First in every write below an order: others wait. */
export async function lockOrder(ctx: Ctx, id: number): Promise<LockedOrder> {
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
  order: LockedOrder,
  wanted: Partial<store.OrderState>,
  entry: Pick<AuditEntry, 'detail'> & { summary?: string } = {},
): Promise<void> {
  const changes = changesBetween(order, wanted);
  const renewed = wanted.status !== undefined && (await moveDownloads(ctx, id, wanted.status));
  if (renewed || Object.keys(changes).length > 0) await store.updateOrder(ctx.db, id, wanted, ctx.now);
  ctx.audit({ resource: { type: 'order', id }, changes, summary: `Order ${id}: ${inWords(changes)}`, ...entry });
  if (changes['status']) {
    ctx.emit({ type: 'order.status_changed', data: { order_id: id, status: wanted.status, previous_status: order.status } });
    if (wanted.status === 'cancelled') ctx.emit({ type: 'order.cancelled', data: { order_id: id } });
  }
}

/** Digital lines of a delivered order get their links, those of a cancelled one lose them; whether new ones are to be seen. */
async function moveDownloads(ctx: Ctx, orderId: number, after: OrderStatus): Promise<boolean> {
  if (after === 'cancelled') await revokeDownloads(ctx, orderId);
  return after === 'delivered' && (await armDownloads(ctx, orderId)) > 0;
}

function changesBetween(before: object, wanted: object): AuditEntry['changes'] {
  const known = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(wanted).filter(([field, value]) => known.get(field) !== value);
  return Object.fromEntries(differing.map(([field, value]) => [field, [known.get(field), value]]));
}

function inWords(changes: AuditEntry['changes']): string {
  const parts = Object.entries(changes).map(([field, [before, after]]) => `${field} ${before ?? 'none'} → ${after ?? 'none'}`);
  return parts.length > 0 ? parts.join(', ') : 'no change';
}
