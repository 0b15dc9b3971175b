import type { BodyOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { PAYMENTS_MAX, type Payment } from '../../../contract/payments.ts';
import { orderVersionOf } from '../../db/queries/row-version.ts';
import { changesBetween, given } from '../../verbs/changes.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { type LockedOrder, lockOrder, setPaymentStatus, touchOrder } from '../orders/domain.ts';
import { listsExactly, paidAt, paymentStatus, sumPaid } from './rules.ts';
import * as store from './store.ts';

const versionOf = orderVersionOf('payments');

export const recordVersions = {
  payment: (db, { order_id, id }) => versionOf(db, { orderId: Number(order_id), id: Number(id) }),
} satisfies RecordVersions;

export function listPayments(ctx: Ctx, orderId: number): Promise<Payment[]> {
  return store.selectPayments(ctx.db, orderId);
}

export async function createPayment(ctx: Ctx, orderId: number, body: BodyOf<Endpoints['orders.create_payment']>): Promise<Payment> {
  const order = await lockOrder(ctx, orderId);
  if (order.payment_provider !== 'manual') {
    throw new Refusal(
      'not_manual_payment',
      `Order ${orderId} is paid through ${order.payment_provider}; payments can only be recorded for an order with the provider manual.`,
    );
  }
  const { label, amount_cents, paid, note = null, sort_order, ...rest } = body;
  rest satisfies Record<string, never>;
  const records = await store.selectPayments(ctx.db, orderId);
  if (records.length >= PAYMENTS_MAX) throw new Refusal('out_of_range', `An order may have at most ${PAYMENTS_MAX} payments.`);
  const payment = await store.insertPayment(ctx.db, {
    order_id: orderId,
    ...{ label, amount_cents, paid, note },
    paid_at: paid ? ctx.now : null,
    sort_order: sort_order ?? nextPlace(records),
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'payment', id: payment.id },
    customerId: order.customer_id,
    orderId,
    changes: changesBetween({ label: null, amount_cents: null, paid: null }, { label, amount_cents, paid }),
    summary: `Order ${orderId}: payment ${payment.id} of ${amount_cents} added${paid ? ', paid' : ''}`,
  });
  await recompute(ctx, order, [...records, payment]);
  return payment;
}

function nextPlace(records: readonly Payment[]): number {
  const last = records.at(-1);
  return last ? Math.min(last.sort_order + 1, Number.MAX_SAFE_INTEGER) : 1;
}

export async function updatePayment(
  ctx: Ctx,
  orderId: number,
  id: number,
  body: BodyOf<Endpoints['orders.update_payment']>,
): Promise<Payment> {
  const order = await lockOrder(ctx, orderId);
  const records = await store.selectPayments(ctx.db, orderId);
  const before = recordOf(records, id);
  const wanted = { ...given(body), ...(body.paid === undefined ? {} : { paid_at: paidAt(before, body.paid, ctx.now) }) };
  const changes = changesBetween(before, wanted);
  const isChanged = Object.keys(changes).length > 0;
  ctx.audit({
    resource: { type: 'payment', id },
    customerId: order.customer_id,
    orderId,
    changes,
    summary: `Order ${orderId}: payment ${id}, ${Object.keys(changes).join(', ') || 'no change'}`,
  });
  if (!isChanged) return before;
  await store.updatePayment(ctx.db, id, wanted, ctx.now);
  const after = { ...before, ...wanted, updated_at: ctx.now };
  await recompute(
    ctx,
    order,
    records.map((record) => (record.id === id ? after : record)),
  );
  return after;
}

export async function deletePayment(ctx: Ctx, orderId: number, id: number): Promise<undefined> {
  const order = await lockOrder(ctx, orderId);
  const records = await store.selectPayments(ctx.db, orderId);
  const { label, amount_cents, paid } = recordOf(records, id);
  await store.deletePayment(ctx.db, id);
  ctx.audit({
    resource: { type: 'payment', id },
    customerId: order.customer_id,
    orderId,
    changes: changesBetween({ label, amount_cents, paid }, { label: null, amount_cents: null, paid: null }),
    summary: `Order ${orderId}: payment ${id} of ${amount_cents} removed`,
  });
  await recompute(
    ctx,
    order,
    records.filter((record) => record.id !== id),
  );
}

/** Changes only the order of the payments. No amount changes, so the payment status is not recomputed (spec PP8). */
export async function reorderPayments(
  ctx: Ctx,
  orderId: number,
  { items }: BodyOf<Endpoints['orders.reorder_payments']>,
): Promise<undefined> {
  await lockOrder(ctx, orderId);
  const records = await store.selectPayments(ctx.db, orderId);
  const ids = records.map(({ id }) => id);
  if (
    !listsExactly(
      ids,
      items.map(({ id }) => id),
    )
  ) {
    throw refuseValue('list_mismatch', '/items', `must list each payment of the order once: ${ids.join(', ') || 'it has none'}`);
  }
  const moved = items.filter(({ id, sort_order }) => recordOf(records, id).sort_order !== sort_order);
  for (const { id, sort_order } of moved) await store.updatePayment(ctx.db, id, { sort_order }, ctx.now);
  ctx.audit({
    resource: { type: 'order', id: orderId },
    changes: Object.fromEntries(
      moved.map(({ id, sort_order }) => [`payment ${id} sort_order`, [recordOf(records, id).sort_order, sort_order]]),
    ),
    summary: `Order ${orderId}: payments reordered`,
  });
  if (moved.length > 0) await touchOrder(ctx, orderId);
}

function recordOf(records: readonly Payment[], id: number): Payment {
  const record = records.find((one) => one.id === id);
  if (!record) throw notFound('payment', id);
  return record;
}

/** Called after an order's total has changed: if the order has payment records, its payment status follows them (spec ED15). */
export async function followTotal(ctx: Ctx, order: LockedOrder): Promise<void> {
  const records = await store.selectPayments(ctx.db, order.id);
  if (records.length > 0) await recompute(ctx, order, records);
}

/** Sets the payment status from the payment records, in the transaction that changes them (spec PP1). */
async function recompute(ctx: Ctx, order: LockedOrder, records: readonly Payment[]): Promise<void> {
  const all = records.reduce((sum, { amount_cents: amount }) => sum + BigInt(amount), 0n);
  if (all > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refuseValue('out_of_range', '/amount_cents', `the payments of an order may add up to at most ${Number.MAX_SAFE_INTEGER}`);
  }
  const before = order.base_payment_status ?? order.payment_status;
  const status = paymentStatus(order.total, records, before);
  const base = records.length === 0 ? null : before;
  await touchOrder(ctx, order.id);
  await setPaymentStatus(ctx, order, status, { paidAmount: Number(sumPaid(records)), base });
}

/** Blanks the labels and notes of the orders' payments; amounts stay. Returns the payments' ids. */
export { blankTexts as forgetPayers } from './store.ts';
