import type { OrderEdit, OrderEditPayload, OrderEditPreview } from '../../../contract/order-edits.ts';
import type { OrderDetail, OrderStatus } from '../../../contract/orders.ts';
import { changesBetween } from '../../verbs/changes.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { dropDownloads, makeDownloads } from '../downloads/domain.ts';
import { followProducts } from '../entitlements/domain.ts';
import { queueMail } from '../mail/domain.ts';
import { saveLines } from '../order-lines/domain.ts';
import { previewLines } from '../order-lines/rules.ts';
import { refuseOtherTotal } from '../order-pricing/domain.ts';
import { termsOf } from '../order-pricing/rules.ts';
import { getOrder, type LockedOrder, lockOrder } from '../orders/domain.ts';
import { payment, priceColumns } from '../orders/rules.ts';
import { saveOrder } from '../orders/write.ts';
import { followTotal } from '../payments/domain.ts';
import { shiftStock, shortagesOf } from '../products/domain.ts';
import { giveBackVoucher, useVoucher } from '../vouchers/domain.ts';
import { type Plan, planEdit } from './plan.ts';
import { needsAcknowledgement, type PricedOrder, productShift, stockShift } from './rules.ts';
import * as store from './store.ts';

type Lines = PricedOrder['lines'];

export function listEdits(ctx: Ctx, orderId: number): Promise<OrderEdit[]> {
  return store.selectEdits(ctx.db, orderId);
}

/**
 * Shows what an edit would do. Conflicts with the current state, such as too little stock, are reported and not refused
 * (spec ED2).
 */
export async function previewEdit(ctx: Ctx, orderId: number, payload: OrderEditPayload): Promise<OrderEditPreview> {
  const plan = await planEdit(ctx, orderId, payload, { hold: false });
  refuseCancelled(plan);
  const { paid_total_cents } = payment(plan.order);
  return {
    totals_before: plan.totalsBefore,
    totals_after: plan.totalsAfter,
    lines_before: previewLines(plan.linesBefore, plan.linesBefore),
    lines_after: previewLines(plan.after.lines, plan.sums),
    payment_delta_cents: plan.totalsAfter.total - plan.totalsBefore.total,
    stock_warnings: await shortagesOf(ctx, stockShift(plan.before.lines, plan.after.lines, plan.order.status).taken),
    summary: plan.summary,
    requires_warn_acknowledged: needsAcknowledgement(plan.order.status),
    balance_due_cents: plan.totalsAfter.total - paid_total_cents,
  };
}

export async function editOrder(ctx: Ctx, orderId: number, payload: OrderEditPayload): Promise<OrderDetail & { edit: OrderEdit }> {
  const locked = await lockOrder(ctx, orderId);
  const plan = await planEdit(ctx, orderId, payload, { hold: true });
  refuseCancelled(plan);
  if (needsAcknowledgement(plan.order.status) && payload.warn_acknowledged !== true) {
    throw new Refusal(
      'warning_not_acknowledged',
      `The order is ${plan.order.status}; send warn_acknowledged: true to edit it all the same.`,
    );
  }
  refuseOtherTotal(payload.expected_total_cents, plan.totalsAfter.total);
  await moveVoucher(ctx, orderId, plan);
  const overridden = await moveStock(ctx, orderId, plan, payload.stock_override === true);
  await save(ctx, locked, plan);
  const edit = await note(ctx, orderId, plan, payload, overridden);
  return { ...(await getOrder(ctx, orderId)), edit };
}

function refuseCancelled({ order }: Plan): void {
  if (order.status === 'cancelled') throw new Refusal('order_cancelled', 'A cancelled order cannot be edited; change its status first.');
}

async function moveVoucher(ctx: Ctx, orderId: number, { order, voucher }: Plan): Promise<void> {
  if (voucher === undefined) return;
  await giveBackVoucher(ctx, orderId);
  if (voucher) await useVoucher(ctx, voucher.id, { orderId, customerId: order.customer_id });
}

/** Takes and returns stock; returns true if more was taken than there was. */
async function moveStock(ctx: Ctx, orderId: number, { order, before, after }: Plan, override: boolean): Promise<boolean> {
  const shift = stockShift(before.lines, after.lines, order.status);
  const warnings = await shiftStock(ctx, { ...shift, override }, { reason: 'order edited', orderId });
  return warnings.length > 0;
}

async function save(
  ctx: Ctx,
  locked: LockedOrder,
  { order, before, after, price, sums, fields, voucher, linesBefore }: Plan,
): Promise<void> {
  const { shipping_cost: _, discount_amount: __, total: ___, ...others } = fields;
  const areOthers = Object.keys(changesBetween(order, others)).length > 0;
  const areLines = await saveLines(ctx, locked.id, linesBefore, after.lines, sums);
  if (!areOthers && !areLines && price === null && voucher === undefined) return;
  // The amount paid is stored as it is now, because it must not grow with the total.
  const money = price && { ...priceColumns(price), paid_amount: payment(locked).paid_total_cents };
  const terms = voucher === undefined ? {} : { voucher_terms: voucher && JSON.stringify(termsOf(voucher)) };
  await saveOrder(ctx, locked.id, { ...others, ...terms, ...money });
  const isBought = locked.first_paid_at !== null || locked.payment_status === 'paid';
  if (isBought) await followProducts(ctx, { ...locked, total: money?.total ?? locked.total }, productShift(before.lines, after.lines));
  if (money) await followTotal(ctx, { ...locked, total: money.total, paid_amount: money.paid_amount });
  if (before.lines !== after.lines) await moveDownloads(ctx, locked.id, order.status, before.lines, after.lines);
}

/** Deletes the download links of lines with another product, and makes links for the new lines of a delivered order. */
async function moveDownloads(ctx: Ctx, orderId: number, status: OrderStatus, before: Lines, after: Lines): Promise<void> {
  const products = new Map(before.map(({ id, product_id }) => [id, product_id]));
  const others = after.flatMap(({ id, product_id }) => (id !== null && products.get(id) !== product_id ? [id] : []));
  await dropDownloads(ctx, others);
  if (status === 'delivered') await makeDownloads(ctx, orderId);
}

/** Stores the edit's record, audit entry and event, and queues the customer's mail if it was asked for. */
async function note(ctx: Ctx, orderId: number, plan: Plan, payload: OrderEditPayload, stockOverrideUsed: boolean): Promise<OrderEdit> {
  const { totalsBefore, totalsAfter, changes, summary, fields } = plan;
  const isNotified =
    payload.notify_customer === true &&
    (await queueMail(ctx, {
      template: 'order_updated',
      to: { name: fields.customer_name, email: fields.customer_email },
      data: { order: await getOrder(ctx, orderId), total_before_cents: totalsBefore.total },
    }));
  ctx.audit({
    resource: { type: 'order', id: orderId },
    changes: Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
    summary: `Order ${orderId} edited: ${summary}`,
  });
  if (changes.length > 0) ctx.emit({ type: 'order.edited', data: eventOf(orderId, plan) });
  return store.insertEdit(ctx.db, {
    order_id: orderId,
    edited_at: ctx.now,
    edited_by_shop_owner_id: actingAdmin(ctx).adminId,
    edit_source: ctx.actor.type === 'task' ? 'ai_task' : 'admin_api',
    summary,
    total_before_cents: totalsBefore.total,
    total_after_cents: totalsAfter.total,
    payment_delta_cents: totalsAfter.total - totalsBefore.total,
    payment_adjustment_note: payload.payment_adjustment_note ?? '',
    customer_notified: isNotified ? 1 : 0,
    stock_override_used: stockOverrideUsed ? 1 : 0,
  });
}

/** The event's data, with the products that were added and removed. */
function eventOf(orderId: number, { before, after, totalsBefore, totalsAfter, summary }: Plan) {
  const { added, removed } = productShift(before.lines, after.lines);
  return {
    order_id: orderId,
    summary,
    total: totalsAfter.total,
    previous_total: totalsBefore.total,
    added_product_ids: added,
    removed_product_ids: removed,
  };
}

/** Clears the payment notes of edits. Their summaries contain no personal data. */
export async function forgetEditNotes(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  await store.clearNotes(ctx, orderIds);
}
