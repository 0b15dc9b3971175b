import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { OrderStatus } from '../../../contract/orders.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { makeDownloads, revokeDownloads } from '../downloads/domain.ts';
import { followOrder, holdMembers } from '../entitlements/domain.ts';
import { holdVariants, returnStock, stockHeldBy, takeStock } from '../products/domain.ts';
import { ORDER_CANCELLED } from '../products/rules.ts';
import { giveBackVoucher, holdVoucherAgain, holdVouchers, useVoucher } from '../vouchers/domain.ts';
import { changeOrder, type LockedOrder, lockOrder, touchOrder } from './domain.ts';
import { stockEffect } from './rules.ts';
import * as store from './store.ts';

export async function updateStatus(ctx: Ctx, id: number, status: OrderStatus): Promise<undefined> {
  await setStatus(ctx, await lockOrder(ctx, id), { status });
}

/** `status` null: the status stays (spec O19). */
export async function updateShipping(ctx: Ctx, id: number, trackingNumber: string, status: OrderStatus | null): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  if (status === null) await changeOrder(ctx, order, { tracking_number: trackingNumber });
  else await setStatus(ctx, order, { tracking_number: trackingNumber, status });
}

/** Sets the status of many orders in one transaction, with an outcome for each; a refused order stays as it was (spec O24). */
export async function updateStatuses(ctx: Ctx, { ids, status, from_status: from }: BodyOf<Endpoints['orders.bulk_status']>) {
  const orders = new Map((await store.lockOrders(ctx, ids)).map((order) => [order.id, order]));
  const isMeant = (order: LockedOrder): boolean => from === undefined || order.status === from;
  const crossing = [...orders.values()].filter((order) => isMeant(order) && (order.status === 'cancelled') !== (status === 'cancelled'));
  const moving = crossing.filter((order) => stockEffect(order.status, status) !== null).map(({ id }) => id);
  // Everything that several of the orders share is locked first, in the same order as in every other write.
  await holdVouchers(
    ctx,
    crossing.flatMap(({ voucher_id }) => voucher_id ?? []),
    crossing.map(({ id }) => id),
  );
  await holdVariants(ctx, await store.selectVariantIds(ctx.db, moving));
  await holdMembers(
    ctx,
    crossing.map(({ id }) => id),
  );
  const results: { id: number; status: OrderStatus | null; code?: string }[] = [];
  for (const id of ids) {
    const order = orders.get(id);
    const refused = order && !isMeant(order) ? 'status_changed' : 'not_found';
    const code = order && isMeant(order) ? await refusalOf(() => setStatus(ctx, order, { status })) : refused;
    results.push(code === null ? { id, status } : { id, status: order?.status ?? null, code });
  }
  const changed = results.filter(({ code }) => code === undefined).length;
  if (changed === 0) {
    ctx.audit({ resource: { type: 'order', id: null }, changes: {}, summary: `Orders: none of ${ids.length} became ${status}` });
  }
  return { results };
}

/** Runs the work and returns the code of its refusal, or null. The work must refuse before it writes anything. */
async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/**
 * Sets the status with all its effects (spec O14-O16); any status may follow any other (spec C14). Refuses before anything
 * is written.
 */
async function setStatus(ctx: Ctx, order: LockedOrder, wanted: { status: OrderStatus; tracking_number?: string }): Promise<void> {
  const { status } = wanted;
  const { id, voucher_id, customer_id: customerId } = order;
  const isReopened = order.status === 'cancelled' && status !== 'cancelled';
  const hasVoucher = isReopened && voucher_id !== null && (await holdVoucherAgain(ctx, voucher_id, { orderId: id, customerId }));
  if (order.status !== 'cancelled' && status === 'cancelled') await giveBackVoucher(ctx, id);
  await moveStock(ctx, order, status);
  if (hasVoucher) await useVoucher(ctx, voucher_id, { orderId: id, customerId });
  const hasNewLinks = await moveDownloads(ctx, id, status);
  const changes = await changeOrder(ctx, order, wanted);
  if (hasNewLinks && Object.keys(changes).length === 0) await touchOrder(ctx, id);
  if (!changes['status']) return;
  await followOrder(ctx, { ...order, status });
  ctx.emit({ type: 'order.status_changed', data: { order_id: id, status, previous_status: order.status } });
  if (status === 'cancelled') ctx.emit({ type: 'order.cancelled', data: { order_id: id } });
}

/**
 * Returns the stock of a cancelled order that was not shipped; takes the stock of a reopened order again, less what the order
 * still holds.
 */
async function moveStock(ctx: Ctx, { id: orderId, status: before }: LockedOrder, after: OrderStatus): Promise<void> {
  const effect = stockEffect(before, after);
  if (effect === null) return;
  const wishes = await store.selectWishes(ctx.db, orderId);
  if (effect === 'return') return returnStock(ctx, wishes, { reason: ORDER_CANCELLED, orderId });
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

/** Makes download links when an order is delivered and ends them when it is cancelled; returns true if the order shows new links. */
async function moveDownloads(ctx: Ctx, orderId: number, after: OrderStatus): Promise<boolean> {
  if (after === 'cancelled') await revokeDownloads(ctx, orderId);
  return after === 'delivered' && (await makeDownloads(ctx, orderId)) > 0;
}
