import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { moneyFormats } from '../../../contract/money.ts';
import type { SubscriptionDetail, SubscriptionInvoice } from '../../../contract/subscriptions.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { type PaymentProvider, ProviderFailed } from '../../providers/payments/provider.ts';
import { newPublicId } from '../../values/public-id.ts';
import { subscriptionText } from '../../values/texts.ts';
import { wordsIn } from '../../values/words.ts';
import { changedPage } from '../../verbs/change-pages.ts';
import { changesBetween, given } from '../../verbs/changes.ts';
import type { Ctx, Steps } from '../../verbs/context.ts';
import { sortedPage, TIMES } from '../../verbs/list-pages.ts';
import { notFound, Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { entitleSubscription, followSubscription } from '../entitlements/domain.ts';
import { type LockedOrder, lockOrder } from '../orders/domain.ts';
import { isOver, periodEnd } from './rules.ts';
import * as store from './store.ts';

export const recordVersions = {
  subscription: {
    version: rowVersion('subscriptions'),
    // The formatted amount depends on the shop's settings, and the order line that began the subscription may be deleted.
    derived: async (ctx, { id }) => {
      const { unit_amount, order_item_id } = await getSubscription(ctx, Number(id));
      return { unit_amount, order_item_id };
    },
  },
} satisfies RecordVersions;

export function listSubscriptions(ctx: Ctx, query: InputOf<Endpoints['subscriptions.list']>['query']) {
  const { status, customer_id: customerId, product_id: productId, order_id: orderId, updated_since: updatedSince } = query;
  const words = wordsIn(query.q);
  const filter = { words, status, customerId, productId, orderId, updatedSince };
  const money = moneyFormats(ctx.settings);
  const rows = async (ids: readonly number[]) =>
    (await store.selectSubscriptionRows(ctx.db, ids)).map((row) => ({ ...row, unit_amount: money(row.unit_amount_cents, row.currency) }));
  if (query.after !== undefined) return changedPage(ctx, { ...query, after: query.after }, store.subscriptionChanges(ctx, filter, rows));
  return sortedPage(query, query.sort, TIMES, store.subscriptions(ctx, filter, rows));
}

export async function getSubscription(ctx: Ctx, id: number): Promise<SubscriptionDetail> {
  const subscription = await store.selectSubscription(ctx.db, id);
  if (!subscription) throw notFound('subscription', id);
  return { ...subscription, unit_amount: moneyFormats(ctx.settings)(subscription.unit_amount_cents, subscription.currency) };
}

export async function listInvoices(ctx: Ctx, id: number): Promise<SubscriptionInvoice[]> {
  const money = moneyFormats(ctx.settings);
  const invoices = await store.selectInvoices(ctx.db, id);
  return invoices.map(({ subscription_id: _, is_initial: __, told_at: ___, ...invoice }) => ({
    ...invoice,
    amount_total: money(invoice.amount_total_cents, invoice.currency),
    amount_paid: money(invoice.amount_paid_cents, invoice.currency),
  }));
}

type Activation = InputOf<Endpoints['subscriptions.activate']>['body'];

/**
 * Activates a subscription by hand, for a paid order whose provider sent no event (spec O23). `replay` applies events
 * that the provider sent before the subscription was known.
 */
export async function activateSubscription(
  ctx: Ctx,
  orderId: number,
  { external_subscription_id, external_customer_id, ...rest }: Activation,
  replay: (ctx: Ctx, externalId: string) => Promise<void>,
) {
  rest satisfies Record<string, never>;
  await ctx.dialect.lockName(ctx.db, external_subscription_id);
  const known = await store.lockSubscriptionByExternalId(ctx, external_subscription_id);
  if (known && known.initial_order_id !== orderId) {
    throw refuseValue('external_id_taken', '/external_subscription_id', `this is already the external id of subscription ${known.id}`);
  }
  const order = await lockOrder(ctx, orderId);
  if (order.payment_status !== 'paid') {
    throw new Refusal('order_not_paid', `Order ${orderId} must be paid; its payment status is ${order.payment_status}.`);
  }
  const lines = await store.selectSubscriptionLines(ctx.db, orderId);
  const line = lines.find(({ subscription_id }) => subscription_id === null);
  if (lines.length === 0) throw new Refusal('no_subscription_item', `Order ${orderId} has no line with a subscription product.`);
  if (!line || known) {
    const id = known?.id ?? lines[0]?.subscription_id;
    throw new Refusal('subscription_exists', `Order ${orderId} already has subscription ${id}.`);
  }
  const link = { external_subscription_id, external_customer_id, provider: order.payment_provider };
  const made = await createSubscription(ctx, order, line, link);
  await replay(ctx, external_subscription_id);
  return made;
}

type Link = { external_subscription_id: string; external_customer_id: string; provider: string };

/**
 * Creates a subscription that is active from now on for one interval, at the order line's price. Later events of the provider
 * correct this.
 */
export async function createSubscription(
  ctx: Ctx,
  order: LockedOrder,
  line: store.SubscriptionLine,
  link: Link,
): Promise<{ id: number; public_id: string }> {
  const { product_id, variant_id, product_name, variant_label, quantity } = line;
  const { billing_interval, billing_interval_count, cancellation_policy, max_billing_cycles } = line;
  const buyer = await store.selectBuyer(ctx.db, order.id);
  const public_id = newPublicId(ctx.random);
  const current_period_end = periodEnd(ctx.now, billing_interval, billing_interval_count);
  const id = await store.insertSubscription(ctx.db, {
    ...link,
    ...buyer,
    ...{ product_id, variant_id, product_name, variant_label, quantity },
    ...{ billing_interval, billing_interval_count, cancellation_policy, max_billing_cycles },
    public_id,
    search_folded: subscriptionText([buyer.customer_name, buyer.customer_email, product_name, public_id]),
    status: 'active',
    unit_amount_cents: line.unit_price,
    currency: order.currency,
    current_period_start: ctx.now,
    current_period_end,
    cancel_at_period_end: 0,
    initial_order_id: order.id,
    order_item_id: line.id,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.audit({
    resource: { type: 'subscription', id },
    changes: { status: [null, 'active'], external_subscription_id: [null, link.external_subscription_id] },
    summary: `Subscription ${id} (${link.external_subscription_id}) made for order ${order.id}`,
    detail: { subscription_id: id, order_id: order.id, ...link },
  });
  const { customer_id } = buyer;
  const running = { status: 'active', cancel_at_period_end: false, current_period_end, ended_at: null } as const;
  await entitleSubscription(ctx, { id, product_id, customer_id, ...running }, order);
  ctx.emit({ type: 'subscription.created', data: { subscription_id: id, order_id: order.id, customer_id, product_id } });
  return { id, public_id };
}

/**
 * Cancels a subscription at once, at the provider first. If the provider fails, nothing changes in the shop, so that no
 * customer is charged for a subscription that is shown as canceled (spec SU2).
 */
export async function cancelSubscription(provider: PaymentProvider, steps: Steps, id: number): Promise<(ctx: Ctx) => Promise<undefined>> {
  const { status, external_subscription_id: externalId } = await steps.step((ctx) => getSubscription(ctx, id));
  if (!isOver(status) && provider.cancelSubscription) {
    await provider.cancelSubscription(externalId).catch((cause: unknown) => {
      if (!(cause instanceof ProviderFailed)) throw cause;
      throw new Refusal(
        'provider_error',
        `Subscription ${id} stays as it is, because ${provider.name} did not cancel it: ${cause.message}`,
        { cause },
      );
    });
  }
  return (ctx) => cancelHere(ctx, id);
}

/** Whether the provider would be asked to cancel. */
export async function isCanceledOutside(provider: PaymentProvider, ctx: Ctx, id: number): Promise<boolean> {
  const { status } = await getSubscription(ctx, id);
  return !isOver(status) && provider.cancelSubscription !== null;
}

export async function cancelHere(ctx: Ctx, id: number): Promise<undefined> {
  const known = await store.lockSubscription(ctx, id);
  if (!known) throw notFound('subscription', id);
  const canceled = { status: 'canceled', canceled_at: ctx.now, ended_at: ctx.now, cancel_at_period_end: false } as const;
  if (!isOver(known.status) && (await changeSubscription(ctx, known, canceled))) return;
  ctx.audit({ resource: { type: 'subscription', id }, changes: {}, summary: `Subscription ${id}: ${known.status} already` });
}

/**
 * Writes the fields that differ, with an audit entry; emits `subscription.canceled` when the status becomes canceled. The
 * caller has locked `known`.
 */
export async function changeSubscription(ctx: Ctx, known: store.Subscription, wanted: store.SubscriptionChanges): Promise<boolean> {
  const changes = changesBetween(known, wanted);
  if (Object.keys(changes).length === 0) return false;
  await store.updateSubscription(ctx.db, known.id, wanted, ctx.now);
  await followSubscription(ctx, { ...known, ...given(wanted) });
  const words = Object.entries(changes).map(([field, [before, after]]) => `${field} ${before ?? 'none'} → ${after ?? 'none'}`);
  ctx.audit({ resource: { type: 'subscription', id: known.id }, changes, summary: `Subscription ${known.id}: ${words.join(', ')}` });
  if (wanted.status === 'canceled' && known.status !== 'canceled') {
    const { id, initial_order_id: order_id, customer_id, product_id } = known;
    ctx.emit({ type: 'subscription.canceled', data: { subscription_id: id, order_id, customer_id, product_id } });
  }
  return true;
}

/** Blanks the buyer in the customer's subscriptions, which continue until they are canceled. What the provider keeps is not affected. */
export async function forgetSubscriber(
  ctx: Ctx,
  { customerId, orderIds }: { customerId: number; orderIds: readonly number[] },
): Promise<void> {
  await store.blankBuyer(ctx, customerId, orderIds, ctx.now);
}

export function hasSubscriptions(ctx: Ctx, customerId: number): Promise<boolean> {
  return store.hasSubscriptions(ctx.db, customerId);
}
