import { exponentOf } from '../../../contract/money.ts';
import type { Row } from '../../db/tables.ts';
import type { Money, OrderReference, PaymentState } from '../../providers/payments/provider.ts';
import { rescale } from '../../values/currencies.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type LockedOrder, lockOrder, setPaymentStatus } from '../orders/domain.ts';
import { isNewRefund, isNews, paymentOf } from './rules.ts';
import * as store from './store.ts';

/** The outcome of an event. */
export type Outcome = {
  status: 'success' | 'ignored' | 'waiting';
  /** A sentence that follows the event's name in the log. */
  summary: string;
  /** The external id that must become known before the event can be applied. */
  waitsFor?: string;
  /** External ids that are known from now on. */
  known?: readonly string[];
  detail?: Record<string, unknown>;
};

type Named = { provider: string; externalIds: readonly [string, ...string[]]; toldAt: string };

/** The id of the order that a provider's object names by id or public id; null if there is none. */
export function orderNamed(ctx: Ctx, reference: OrderReference | null): Promise<number | null> {
  return reference === null ? Promise.resolve(null) : store.selectOrderId(ctx, reference);
}

/** The provider's amount in minor units of the shop. */
export function minorOf(ctx: Ctx, { amount, currency, exponent }: Money): number {
  return rescale(amount, exponent, exponentOf(currency, ctx.settings));
}

/** Stores the state of an order's payment. With `orderId` null only a payment that is known already is changed. */
export async function notePayment(
  ctx: Ctx,
  named: Named,
  orderId: number | null,
  { state, amount }: { state: PaymentState; amount: Money },
): Promise<Outcome> {
  const { externalIds, known, paidOrderId } = await find(ctx, named, orderId);
  if (paidOrderId === null) return { status: 'ignored', summary: 'it names no order of this shop' };
  const order = await lockOrder(ctx, paidOrderId);
  const before = await store.selectPayments(ctx.db, order.id);
  if (known && !isNews(known, state, named.toldAt))
    return { status: 'ignored', summary: `payment ${known.external_id} is ${known.state} already` };
  const told = { state, amount_cents: minorOf(ctx, amount), currency: amount.currency, told_at: named.toldAt };
  if (known) await store.updatePayment(ctx.db, known.id, told);
  else
    await store.insertPayment(ctx.db, {
      ...told,
      provider: named.provider,
      external_id: externalIds[0],
      order_id: order.id,
      refunded_cents: 0,
    });
  return settle(ctx, order, before, `payment ${externalIds[0]} ${state}`);
}

/** Stores how much of a payment was refunded so far. */
export async function noteRefund(
  ctx: Ctx,
  named: Named,
  orderId: number | null,
  { amount, refunded }: { amount: Money; refunded: Money },
): Promise<Outcome> {
  const { externalIds, known, paidOrderId } = await find(ctx, named, orderId);
  const refunded_cents = minorOf(ctx, refunded);
  if (paidOrderId === null) return { status: 'ignored', summary: 'it names no order of this shop' };
  if (!known && refunded_cents === 0) return { status: 'ignored', summary: 'nothing was refunded' };
  const order = await lockOrder(ctx, paidOrderId);
  const before = await store.selectPayments(ctx.db, order.id);
  if (known && !isNewRefund(known, refunded_cents, named.toldAt)) {
    return { status: 'ignored', summary: `payment ${known.external_id}: ${known.refunded_cents} refunded is known already` };
  }
  // A refund shows that the payment had succeeded.
  const told = { state: 'succeeded' as const, refunded_cents, refund_told_at: named.toldAt };
  if (known) await store.updatePayment(ctx.db, known.id, told);
  else {
    const payment = { provider: named.provider, external_id: externalIds[0], order_id: order.id, told_at: named.toldAt };
    await store.insertPayment(ctx.db, { ...told, ...payment, amount_cents: minorOf(ctx, amount), currency: amount.currency });
  }
  return settle(ctx, order, before, `payment ${externalIds[0]}: ${refunded_cents} refunded`);
}

/** Finds a payment by any of its external ids (including that of the invoice that it pays), and the id of its order. */
async function find(ctx: Ctx, { provider, externalIds }: Named, orderId: number | null) {
  const invoice = await store.selectInitialInvoice(ctx.db, externalIds[0]);
  const names: Named['externalIds'] = invoice ? [invoice.external_invoice_id, ...externalIds] : externalIds;
  const known = await store.selectPaymentBy(ctx.db, provider, names);
  return { externalIds: names, known, paidOrderId: known?.order_id ?? invoice?.order_id ?? orderId };
}

/**
 * Sets the order's payment status if the payments now imply another one than before. A status that was set by hand stays
 * until then (spec O18).
 */
async function settle(ctx: Ctx, order: LockedOrder, before: readonly Row<'provider_payments'>[], what: string): Promise<Outcome> {
  const was = paymentOf(order, before);
  const is = paymentOf(order, await store.selectPayments(ctx.db, order.id));
  const isNew = is !== null && (is.status !== was?.status || is.paid !== was.paid);
  if (isNew) await setPaymentStatus(ctx, order, is.status, is.paid === null ? {} : { paidAmount: is.paid });
  const now = isNew ? is.status : order.payment_status;
  return {
    status: 'success',
    summary: `${what}; order ${order.id} is ${now === order.payment_status ? `${now} as before` : `${now} (was ${order.payment_status})`}`,
    detail: { order_id: order.id, payment_status: [order.payment_status, now] },
  };
}
