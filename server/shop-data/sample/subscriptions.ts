import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';
import type { NewRow } from '../../db/tables.ts';
import { isOver, periodEnd } from '../../resources/subscriptions/rules.ts';
import { subscriptionText } from '../../values/texts.ts';
import { publicIdOf } from '../public-ids.ts';
import { isShowcase, showcaseNumber } from './fate.ts';
import type { PricedLine } from './order-price.ts';
import type { ItemRow, OrderRow, SampleOrder } from './orders.ts';
import type { Random } from './random.ts';

export type SubscriptionRows = {
  subscription: NewRow<'subscriptions'> & { id: number };
  invoices: NewRow<'subscription_invoices'>[];
};

/** How many of its latest invoices a subscription has, besides its first one. */
const LAST_INVOICES = 3;
const SHOWN: readonly SubscriptionStatus[] = ['trialing', 'past_due', 'unpaid', 'active', 'canceled'];

/**
 * The subscription that an order started, with its invoices. Null if the order has none, and for some paid orders, whose
 * subscription an admin must activate. `id`: the subscription's id.
 */
export function subscriptionOf(
  sample: SampleOrder,
  order: OrderRow,
  items: readonly ItemRow[],
  id: number,
  random: Random,
): SubscriptionRows | null {
  const position = sample.priced.lines.findIndex(({ variant }) => variant.product.subscription);
  const [line, item] = [sample.priced.lines[position], items[position]];
  const plan = line?.variant.product.subscription;
  if (!line || !item || !plan || (order.payment_status === 'paid' && !isShowcase(sample.index) && random.chance(0.15))) return null;
  const periods = periodsOf(order.created_at, sample.nowMs, plan);
  const isDone = plan.maxCycles !== null && periods.length > plan.maxCycles;
  const status = statusOf(sample, order, random, isDone);
  const lived = periods.slice(0, periodsLived(status, isDone ? periods.length - 1 : periods.length, isDone, random));
  const last = lived.at(-1) ?? { start: order.created_at, end: order.created_at };
  const endedAt = !isOver(status) ? null : last.end < new Date(sample.nowMs).toISOString() ? last.end : order.updated_at;
  const isEnding = status === 'active' && random.chance(0.08);
  const publicId = publicIdOf(`sample subscription ${sample.index}`);
  const subscription = {
    id,
    public_id: publicId,
    status,
    ...described(line, item),
    customer_id: order.customer_id,
    customer_name: order.customer_name,
    customer_email: order.customer_email,
    search_folded: subscriptionText([order.customer_name, order.customer_email, line.variant.product.name, publicId]),
    provider: order.payment_provider,
    external_subscription_id: `sub_sample_${sample.index}`,
    external_customer_id: `cus_sample_${sample.person?.index ?? 0}`,
    billing_interval: plan.interval,
    billing_interval_count: plan.count,
    cancellation_policy: plan.policy,
    max_billing_cycles: plan.maxCycles,
    unit_amount_cents: item.unit_price,
    currency: order.currency,
    quantity: item.quantity,
    current_period_start: last.start,
    current_period_end: last.end,
    cancel_at_period_end: isEnding ? 1 : 0,
    canceled_at: isEnding ? order.updated_at : endedAt,
    ended_at: endedAt,
    initial_order_id: order.id,
    order_item_id: item.id,
    told_at: null,
    last_event_id: null,
    created_at: order.created_at,
    updated_at: endedAt ?? order.updated_at,
  };
  const shown = lived.filter((_, n) => n === 0 || n >= lived.length - LAST_INVOICES);
  return { subscription, invoices: shown.map((period, n) => invoiceRow(sample, subscription, period, n, n === shown.length - 1)) };
}

type Plan = NonNullable<PricedLine['variant']['product']['subscription']>;
type Period = { start: string; end: string; n: number };

/** The billing periods up to the current one; at most one more than `maxCycles`, which shows that the subscription is complete. */
function periodsOf(from: string, nowMs: number, { interval, count, maxCycles }: Plan): Period[] {
  const now = new Date(nowMs).toISOString();
  const periods: Period[] = [];
  for (let start = from; start <= now && periods.length <= (maxCycles ?? Number.POSITIVE_INFINITY); start = periods.at(-1)?.end ?? now) {
    periods.push({ start, end: periodEnd(start, interval, count), n: periods.length });
  }
  return periods;
}

function statusOf({ index }: SampleOrder, { status, payment_status }: OrderRow, random: Random, isDone: boolean): SubscriptionStatus {
  if (payment_status === 'failed') return 'incomplete_expired';
  if (payment_status === 'none' || payment_status === 'pending') return 'incomplete';
  if (payment_status === 'refunded' || status === 'cancelled' || isDone) return 'canceled';
  if (isShowcase(index)) return SHOWN[showcaseNumber(index) % SHOWN.length] ?? 'active';
  return random.weighted({ active: 72, past_due: 5, canceled: 14, trialing: 5, unpaid: 4, incomplete: 0, incomplete_expired: 0 });
}

function periodsLived(status: SubscriptionStatus, most: number, isDone: boolean, random: Random): number {
  if (status === 'incomplete' || status === 'incomplete_expired') return 1;
  return status === 'canceled' && !isDone ? random.int(1, most) : most;
}

function described({ variant }: PricedLine, item: ItemRow) {
  return { product_id: variant.productId, variant_id: variant.id, product_name: item.product_name, variant_label: item.variant_label };
}

function invoiceRow(
  { index }: SampleOrder,
  subscription: SubscriptionRows['subscription'],
  { start, end, n }: Period,
  shown: number,
  isLast: boolean,
): NewRow<'subscription_invoices'> {
  const amount = subscription.unit_amount_cents * subscription.quantity;
  const isOpen = isLast && ['past_due', 'unpaid', 'incomplete', 'incomplete_expired'].includes(subscription.status);
  return {
    subscription_id: subscription.id,
    external_invoice_id: `in_sample_${index}_${n}`,
    external_payment_intent: `pi_sample_${index}_${n}`,
    is_initial: shown === 0 ? 1 : 0,
    amount_total_cents: amount,
    amount_paid_cents: isOpen ? 0 : amount,
    currency: subscription.currency,
    status: !isOpen ? 'paid' : subscription.status === 'incomplete_expired' ? 'void' : 'open',
    period_start: start,
    period_end: end,
    hosted_invoice_url: null,
    created_at: start,
    told_at: null,
  };
}
