import type { InputOf } from '../../../contract/endpoint.ts';
import type { subscriptionsActivate } from '../../../contract/orders.ts';
import type { SubscriptionDetail, SubscriptionInvoice, subscriptionsList } from '../../../contract/subscriptions.ts';
import type { Ctx } from '../../context.ts';
import { moneyFormats } from '../../currencies.ts';
import type { SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import { notFound, Refusal, refuseValue } from '../../problem.ts';
import { newPublicId } from '../../public-id.ts';
import type { RecordVersions } from '../../record-versions.ts';
import { periodEnd } from './rules.ts';
import * as store from './store.ts';

export const recordVersions: RecordVersions = {
  subscription: (db, { id }) => store.selectSubscriptionVersion(db, Number(id)),
};

const sortColumns: Record<string, SortColumn> = { created_at: { name: 'created_at', type: 'text' } };

export async function listSubscriptions(ctx: Ctx, query: InputOf<typeof subscriptionsList>['query']) {
  const filter = { status: query.status, customerId: query.customer_id, productId: query.product_id };
  const reading = readingOf(query, '-created_at', sortColumns);
  const keys = await store.selectSubscriptionKeys(ctx.db, filter, reading);
  const total = await store.countSubscriptions(ctx.db, filter);
  const money = moneyFormats(ctx.settings);
  const rows = await store.selectSubscriptionRows(
    ctx.db,
    keys.slice(0, reading.perPage).map(({ id }) => id),
  );
  return pageForm(
    reading,
    total,
    keys,
    rows.map((row) => ({ ...row, unit_amount: money(row.unit_amount_cents, row.currency) })),
  );
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

type Activation = InputOf<typeof subscriptionsActivate>['body'];

/** For a paid order whose provider never called (decisions.md O23). */
export async function activateSubscription(ctx: Ctx, orderId: number, { external_subscription_id, external_customer_id }: Activation) {
  await ctx.dialect.lockName(ctx.db, external_subscription_id);
  const known = await store.lockSubscriptionByExternalId(ctx, external_subscription_id);
  if (known && known.initial_order_id !== orderId) {
    throw refuseValue('external_id_taken', '/external_subscription_id', `it is the id of subscription ${known.id}`);
  }
  const order = await store.lockOrder(ctx, orderId);
  if (!order) throw notFound('order', orderId);
  if (order.payment_status !== 'paid') {
    throw new Refusal('order_not_paid', `Order ${orderId} is not paid: its payment status is ${order.payment_status}.`);
  }
  const lines = await store.selectSubscriptionLines(ctx.db, orderId);
  const line = lines.find(({ subscription_id }) => subscription_id === null);
  if (lines.length === 0) throw new Refusal('no_subscription_item', `No line of order ${orderId} is a subscription.`);
  if (!line || known) {
    const id = known?.id ?? lines[0]?.subscription_id;
    throw new Refusal('subscription_exists', `Order ${orderId} has its subscription already: ${id}.`);
  }
  const { id, public_id } = await createSubscription(ctx, order, line, {
    external_subscription_id,
    external_customer_id,
    provider: order.payment_provider,
  });
  ctx.audit({
    resource: { type: 'subscription', id },
    changes: { status: [null, 'active'], external_subscription_id: [null, external_subscription_id] },
    summary: `Subscription ${id} (${external_subscription_id}) activated for order ${orderId}`,
    detail: { subscription_id: id, order_id: orderId, external_subscription_id, external_customer_id },
  });
  return { id, public_id };
}

type Link = { external_subscription_id: string; external_customer_id: string; provider: string };

/** Active from now on, for one interval, at the line's own price; what the provider tells later says better. */
async function createSubscription(
  ctx: Ctx,
  order: store.OrderForSubscription,
  line: store.SubscriptionLine,
  link: Link,
): Promise<{ id: number; public_id: string }> {
  const { product_id, variant_id, product_name, variant_label, quantity } = line;
  const { billing_interval, billing_interval_count, cancellation_policy, max_billing_cycles } = line;
  const { customer_id, customer_name, customer_email, currency } = order;
  const public_id = newPublicId();
  const id = await store.insertSubscription(ctx.db, {
    ...link,
    public_id,
    status: 'active',
    ...{ product_id, variant_id, product_name, variant_label, quantity },
    ...{ customer_id, customer_name, customer_email, currency },
    ...{ billing_interval, billing_interval_count, cancellation_policy, max_billing_cycles },
    unit_amount_cents: line.unit_price,
    current_period_start: ctx.now,
    current_period_end: periodEnd(ctx.now, billing_interval, billing_interval_count),
    cancel_at_period_end: 0,
    initial_order_id: order.id,
    order_item_id: line.id,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  ctx.emit({ type: 'subscription.created', data: { subscription_id: id, order_id: order.id, customer_id, product_id } });
  return { id, public_id };
}
