import type { InvoicePaymentTold, InvoiceTold, PaymentTold, SubscriptionTold } from '../../providers/payments/provider.ts';
import type { Ctx } from '../../verbs/context.ts';
import { lockOrder } from '../orders/domain.ts';
import { minorOf, notePayment, type Outcome, orderNamed } from '../provider-payments/domain.ts';
import { changeSubscription, createSubscription } from './domain.ts';
import { isOlder, isOlderInvoice, isOver, type ToldEvent } from './rules.ts';
import * as store from './store.ts';

/** An event that a provider has sent; `find` reads an earlier one. */
export type ReceivedEvent = ToldEvent & { provider: string; find(eventId: string): Promise<ToldEvent | null> };

/** Applies an event about a subscription's state. If the subscription is not known but the event names its order, it is created. */
export async function noteSubscription(ctx: Ctx, received: ReceivedEvent, told: SubscriptionTold): Promise<Outcome> {
  const known = await store.lockSubscriptionByExternalId(ctx, told.externalId);
  if (known) return update(ctx, received, known, told);
  const orderId = await orderNamed(ctx, told.order);
  if (orderId === null)
    return { status: 'waiting', waitsFor: told.externalId, summary: `no order is known for subscription ${told.externalId}` };
  return link(ctx, received.provider, orderId, told, (made) => update(ctx, received, made, told));
}

/** Applies a checkout event that tells which order has started a subscription. The subscription's state comes in other events. */
export async function noteStarted(
  ctx: Ctx,
  { provider }: ReceivedEvent,
  orderId: number | null,
  started: NonNullable<PaymentTold['subscription']>,
): Promise<Outcome | null> {
  const known = await store.lockSubscriptionByExternalId(ctx, started.externalId);
  if (known || orderId === null) return null;
  return link(ctx, provider, orderId, started, async (made) => ({
    status: 'success',
    summary: `subscription ${made.id} is ${made.status}`,
    detail: { subscription_id: made.id, order_id: orderId },
  }));
}

type Ids = { externalId: string; externalCustomerId: string };

async function link(
  ctx: Ctx,
  provider: string,
  orderId: number,
  { externalId, externalCustomerId }: Ids,
  andThen: (made: store.Subscription) => Promise<Outcome>,
): Promise<Outcome> {
  const order = await lockOrder(ctx, orderId);
  const lines = await store.selectSubscriptionLines(ctx.db, orderId);
  const line = lines.find(({ subscription_id }) => subscription_id === null);
  if (!line) {
    return {
      status: 'ignored',
      summary: `order ${orderId} has no subscription line without a subscription`,
      detail: { order_id: orderId },
    };
  }
  const { id } = await createSubscription(ctx, order, line, {
    external_subscription_id: externalId,
    external_customer_id: externalCustomerId,
    provider,
  });
  const made = await store.lockSubscription(ctx, id);
  if (!made) throw new Error(`subscription ${id} is gone`);
  return { ...(await andThen(made)), known: [externalId] };
}

async function update(ctx: Ctx, received: ReceivedEvent, known: store.Subscription, told: SubscriptionTold): Promise<Outcome> {
  const { id } = known;
  const detail = { subscription_id: id, order_id: known.initial_order_id };
  if (told.status === null)
    return { status: 'ignored', summary: `the status ${told.word} of subscription ${id} is not a known one`, detail };
  if (await isTooLate(received, known))
    return { status: 'ignored', summary: `a newer event of subscription ${id} was applied already`, detail };
  await store.updateTold(ctx.db, id, received);
  if (isOver(known.status)) {
    const same = told.status === known.status;
    return { status: same ? 'success' : 'ignored', summary: `subscription ${id} is ${known.status} already`, detail };
  }
  const ended = isOver(told.status) ? (told.endedAt ?? received.toldAt) : told.endedAt;
  await changeSubscription(ctx, known, {
    status: told.status,
    cancel_at_period_end: told.cancelAtPeriodEnd,
    canceled_at: told.canceledAt ?? (told.status === 'canceled' ? ended : null),
    ended_at: ended,
    ...(told.externalCustomerId === '' ? {} : { external_customer_id: told.externalCustomerId }),
    ...(told.period ? { current_period_start: told.period.start, current_period_end: told.period.end } : {}),
    ...(told.quantity === null ? {} : { quantity: told.quantity }),
    ...(told.unitPrice ? { unit_amount_cents: minorOf(ctx, told.unitPrice), currency: told.unitPrice.currency } : {}),
    ...(told.interval ? { billing_interval: told.interval, billing_interval_count: told.intervalCount ?? 1 } : {}),
  });
  return { status: 'success', summary: `subscription ${id} is ${told.status}`, detail: { ...detail, status: [known.status, told.status] } };
}

async function isTooLate(received: ReceivedEvent, { told_at, last_event_id }: store.Subscription): Promise<boolean> {
  if (told_at === null || last_event_id === null || received.toldAt > told_at) return false;
  if (received.toldAt < told_at) return true;
  const last = await received.find(last_event_id);
  return last !== null && isOlder(received, last);
}

/** Applies an event about an invoice. The first invoice of a subscription also pays the order. */
export async function noteInvoice(ctx: Ctx, received: ReceivedEvent, told: InvoiceTold): Promise<Outcome> {
  const { externalId, subscriptionId } = told;
  if (subscriptionId === null) return notePaid(ctx, received, told, await orderNamed(ctx, told.order), told.paymentId);
  const subscription = await store.lockSubscriptionByExternalId(ctx, subscriptionId);
  if (!subscription) {
    return {
      status: 'waiting',
      waitsFor: subscriptionId,
      summary: `subscription ${subscriptionId} of invoice ${externalId} is not known yet`,
    };
  }
  const { id } = subscription;
  const detail = { subscription_id: id, external_invoice_id: externalId };
  const known = await store.selectInvoiceByExternalId(ctx.db, externalId);
  const paymentId = told.paymentId ?? known?.external_payment_intent ?? '';
  const paid = told.isInitial ? await notePaid(ctx, received, told, subscription.initial_order_id, paymentId || null) : null;
  if (known && isOlderInvoice({ status: told.status, toldAt: received.toldAt }, known)) {
    return { status: 'ignored', summary: `invoice ${externalId} is ${known.status} already`, detail };
  }
  const row = {
    external_payment_intent: paymentId,
    is_initial: told.isInitial ? 1 : 0,
    amount_total_cents: minorOf(ctx, told.total),
    amount_paid_cents: minorOf(ctx, told.paid),
    currency: told.total.currency,
    status: told.status,
    period_start: told.period.start,
    period_end: told.period.end,
    hosted_invoice_url: told.url,
    created_at: told.createdAt,
    told_at: received.toldAt,
  };
  if (known) await store.updateInvoice(ctx.db, known.id, row);
  else await store.insertInvoice(ctx.db, { ...row, subscription_id: id, external_invoice_id: externalId });
  const changes = { [`invoice ${externalId}`]: [known?.status ?? null, told.status] as [unknown, unknown] };
  ctx.audit({ resource: { type: 'subscription', id }, changes, summary: `Subscription ${id}: invoice ${externalId} is ${told.status}` });
  const also = paid?.status === 'success' ? `; ${paid.summary}` : '';
  return {
    status: 'success',
    summary: `invoice ${externalId} of subscription ${id} is ${told.status}${also}`,
    known: [externalId],
    detail: { ...detail, ...paid?.detail },
  };
}

/** Applies what an invoice says about the payment of an order. */
async function notePaid(
  ctx: Ctx,
  received: ReceivedEvent,
  told: InvoiceTold,
  orderId: number | null,
  paymentId: string | null,
): Promise<Outcome> {
  const state = told.status === 'paid' ? 'succeeded' : told.hasFailed ? 'failed' : null;
  if (state === null) return { status: 'ignored', summary: `invoice ${told.externalId} is ${told.status}, which changes no order` };
  const externalIds = [told.externalId, ...(paymentId === null ? [] : [paymentId])] as const;
  const named = { provider: received.provider, externalIds, toldAt: received.toldAt };
  return notePayment(ctx, named, orderId, { state, amount: state === 'succeeded' ? told.paid : told.total });
}

/** Stores which payment pays an invoice, because later refunds name only the payment. */
export async function noteInvoicePayment(ctx: Ctx, { invoiceId, paymentId }: InvoicePaymentTold): Promise<Outcome> {
  const invoice = await store.selectInvoiceByExternalId(ctx.db, invoiceId);
  if (!invoice) return { status: 'waiting', waitsFor: invoiceId, summary: `invoice ${invoiceId} is not known yet` };
  const { subscription_id: id } = invoice;
  const detail = { subscription_id: id, external_invoice_id: invoiceId };
  const before = invoice.external_payment_intent;
  if (before === paymentId) return { status: 'success', summary: `invoice ${invoiceId} is paid by ${paymentId}, as known`, detail };
  await store.updateInvoice(ctx.db, invoice.id, { external_payment_intent: paymentId });
  const changes = { [`invoice ${invoiceId} paid by`]: [before, paymentId] as [unknown, unknown] };
  ctx.audit({
    resource: { type: 'subscription', id },
    changes,
    summary: `Subscription ${id}: invoice ${invoiceId} is paid by ${paymentId}`,
  });
  return { status: 'success', summary: `invoice ${invoiceId} is paid by ${paymentId}`, detail };
}
