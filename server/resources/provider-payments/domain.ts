import type { Row } from '../../db/tables.ts';
import type { Money, OrderReference, PaymentState } from '../../providers/payments/provider.ts';
import { exponentOf, rescale } from '../../values/currencies.ts';
import type { Ctx } from '../../verbs/context.ts';
import { type LockedOrder, lockOrder, setPaymentStatus } from '../orders/domain.ts';
import { isNewRefund, isNews, paymentOf } from './rules.ts';
import * as store from './store.ts';

/** What came of something that a provider told. */
export type Outcome = {
  status: 'success' | 'ignored' | 'waiting';
  /** A sentence that goes on from the event's name. */
  summary: string;
  /** External id of what must become known first. */
  waitsFor?: string;
  /** External ids that are known from now on. */
  known?: readonly string[];
  detail?: Record<string, unknown>;
};

type Named = { provider: string; externalIds: readonly [string, ...string[]]; toldAt: string };

/** The order that a provider's object names, by its number or its public id; null where there is none. */
export function orderNamed(ctx: Ctx, reference: OrderReference | null): Promise<number | null> {
  return reference === null ? Promise.resolve(null) : store.selectOrderId(ctx, reference);
}

/** The provider's amount in our minor units. */
export function minorOf(ctx: Ctx, { amount, currency, exponent }: Money): number {
  return rescale(amount, exponent, exponentOf(currency, ctx.settings));
}

/** How a payment of an order stands; `orderId` null: only where the payment is known already. */
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

/** How much of a payment was given back so far. */
export async function noteRefund(
  ctx: Ctx,
  named: Named,
  orderId: number | null,
  { amount, refunded }: { amount: Money; refunded: Money },
): Promise<Outcome> {
  const { externalIds, known, paidOrderId } = await find(ctx, named, orderId);
  const refunded_cents = minorOf(ctx, refunded);
  if (paidOrderId === null) return { status: 'ignored', summary: 'it names no order of this shop' };
  if (!known && refunded_cents === 0) return { status: 'ignored', summary: 'nothing was given back' };
  const order = await lockOrder(ctx, paidOrderId);
  const before = await store.selectPayments(ctx.db, order.id);
  if (known && !isNewRefund(known, refunded_cents, named.toldAt)) {
    return { status: 'ignored', summary: `of payment ${known.external_id} ${known.refunded_cents} are known to be given back` };
  }
  // Only what has come in can be given back.
  const told = { state: 'succeeded' as const, refunded_cents, refund_told_at: named.toldAt };
  if (known) await store.updatePayment(ctx.db, known.id, told);
  else {
    const payment = { provider: named.provider, external_id: externalIds[0], order_id: order.id, told_at: named.toldAt };
    await store.insertPayment(ctx.db, { ...told, ...payment, amount_cents: minorOf(ctx, amount), currency: amount.currency });
  }
  return settle(ctx, order, before, `payment ${externalIds[0]}: ${refunded_cents} given back`);
}

/** The payment by any of its names, the invoice that it pays among them, and the order it is for. */
async function find(ctx: Ctx, { provider, externalIds }: Named, orderId: number | null) {
  const invoice = await store.selectInitialInvoice(ctx.db, externalIds[0]);
  const names: Named['externalIds'] = invoice ? [invoice.external_invoice_id, ...externalIds] : externalIds;
  const known = await store.selectPaymentBy(ctx.db, provider, names);
  return { externalIds: names, known, paidOrderId: known?.order_id ?? invoice?.order_id ?? orderId };
}

/** Sets the order's payment status where the payments come to another than before: one set by hand stays until then (decisions.md O18). */
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
