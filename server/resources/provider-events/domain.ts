import type { PaymentProvider, ProviderEvent, Told } from '../../providers/payments/provider.ts';
import type { Ctx } from '../../verbs/context.ts';
import type { Retention } from '../../verbs/retention.ts';
import { writeLog } from '../audit/domain.ts';
import { notePayment, noteRefund, type Outcome, orderNamed } from '../provider-payments/domain.ts';
import { noteInvoice, noteInvoicePayment, noteStarted, noteSubscription, type ReceivedEvent } from '../subscriptions/told.ts';
import * as store from './store.ts';

/** Providers repeat an event for days, and an admin can send one again from the provider's pages for weeks. */
export const retention: Retention = { days: () => 90, deleteBatch: store.deleteReceived };

/**
 * Applies an event once, with its line in the log. Events come in any order and may come more than once. The external ids
 * that the event names are locked until the transaction ends; so if a record that it needs is missing, the event that creates
 * the record will see this one waiting.
 */
export async function applyEvent(ctx: Ctx, provider: PaymentProvider, event: ProviderEvent): Promise<'applied' | 'known'> {
  const isNew = await store.insertEvent(ctx.db, {
    provider: provider.name,
    event_id: event.id,
    type: event.type,
    told_at: event.toldAt,
    outcome: 'ignored',
    waits_for: null,
    payload: event.kept,
    received_at: ctx.now,
  });
  if (!isNew) return 'known';
  await settle(ctx, provider, event);
  return 'applied';
}

/** Applies the events that waited for this subscription or invoice, in the provider's order. */
export async function replay(ctx: Ctx, provider: PaymentProvider, externalId: string): Promise<void> {
  for (const payload of await store.selectWaiting(ctx.db, provider.name, externalId)) await settle(ctx, provider, provider.read(payload));
}

async function settle(ctx: Ctx, provider: PaymentProvider, event: ProviderEvent): Promise<void> {
  for (const name of namesIn(event.told)) await ctx.dialect.lockName(ctx.db, name);
  const outcome = await effectOf(ctx, provider, event);
  await store.updateOutcome(ctx.db, provider.name, event.id, { outcome: outcome.status, waits_for: outcome.waitsFor ?? null });
  await writeLog(ctx, {
    source: 'webhook',
    action: `${provider.name}.${event.type}`,
    status: outcome.status,
    summary: `${event.type}: ${outcome.summary}`,
    detail: { event_id: event.id, told_at: event.toldAt, ...outcome.detail },
  });
  for (const externalId of outcome.known ?? []) await replay(ctx, provider, externalId);
}

async function effectOf(ctx: Ctx, provider: PaymentProvider, event: ProviderEvent): Promise<Outcome> {
  const { told } = event;
  if (told === null) return { status: 'ignored', summary: 'events of this type have no effect here' };
  if (typeof told === 'string') return { status: 'ignored', summary: told };
  const received: ReceivedEvent = {
    ...event,
    provider: provider.name,
    find: async (eventId) => {
      const payload = await store.selectPayload(ctx.db, provider.name, eventId);
      return payload === null ? null : provider.read(payload);
    },
  };
  switch (told.kind) {
    case 'subscription':
      return noteSubscription(ctx, received, told);
    case 'invoice':
      return noteInvoice(ctx, received, told);
    case 'invoice_payment':
      return noteInvoicePayment(ctx, told);
    case 'refund':
      return noteRefund(ctx, { ...told, ...received }, await orderNamed(ctx, told.order), told);
    case 'payment': {
      const orderId = await orderNamed(ctx, told.order);
      const started = told.subscription && (await noteStarted(ctx, received, orderId, told.subscription));
      const paid = await notePayment(ctx, { ...told, ...received }, orderId, told);
      return started ? mergeOutcomes(started, paid) : paid;
    }
  }
}

function mergeOutcomes(one: Outcome, other: Outcome): Outcome {
  const status = one.status === 'success' ? one.status : other.status;
  return { ...one, status, summary: `${one.summary}; ${other.summary}`, detail: { ...one.detail, ...other.detail } };
}

/**
 * The external ids to lock, in a fixed order, so that no two transactions deadlock: a subscription comes before its invoices,
 * as in a replay.
 */
function namesIn(told: Told | string | null): string[] {
  if (told === null || typeof told === 'string') return [];
  return [...new Set(idsIn(told))]
    .filter((id) => id !== '')
    .sort()
    .reverse();
}

function idsIn(told: Told): string[] {
  switch (told.kind) {
    case 'subscription':
      return [told.externalId];
    case 'invoice':
      return [told.externalId, told.subscriptionId ?? '', told.paymentId ?? ''];
    case 'invoice_payment':
      return [told.invoiceId, told.paymentId];
    case 'payment':
      return [...told.externalIds, told.subscription?.externalId ?? ''];
    case 'refund':
      return [...told.externalIds];
  }
}
