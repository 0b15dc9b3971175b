import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';

/**
 * Why an entitlement gives no access, whatever the time: its order is cancelled, or given back and not paid since; its
 * product is a subscription, which gives access itself; its subscription is over or was never paid.
 */
export type Withheld = 'cancelled' | 'unpaid' | 'subscribed' | 'ended' | null;

type OrderState = { status: OrderStatus; payment_status: PaymentStatus };

/** Only a payment undoes a refund; what was lost comes back with its first start (decisions.md AG9). */
export function withheldByOrder(before: Withheld, { status, payment_status }: OrderState): Withheld {
  if (before === 'subscribed') return before;
  if (payment_status === 'refunded' || (before === 'unpaid' && payment_status !== 'paid')) return 'unpaid';
  return status === 'cancelled' ? 'cancelled' : null;
}

/** Of a product that an edit adds to an order that was bought before: it waits for the payment where one is due. */
export function withheldWhenAdded(order: OrderState & { total: number }): Withheld {
  return withheldByOrder(order.payment_status === 'paid' || order.total === 0 ? null : 'unpaid', order);
}

const DAY_MS = 86_400_000;

/** null: never (decisions.md AG8). */
export function expiryOf(startsAt: string, durationDays: number | null): string | null {
  return durationDays === null ? null : new Date(Date.parse(startsAt) + durationDays * DAY_MS).toISOString();
}

export type SubscriptionState = {
  status: SubscriptionStatus;
  cancel_at_period_end: boolean;
  current_period_end: string;
  ended_at: string | null;
};

const entitled: ReadonlySet<SubscriptionStatus> = new Set(['active', 'trialing', 'past_due']);

/** What a subscription gives access for: as long as it runs (decisions.md AG4, AG11). */
export function accessOf({ status, cancel_at_period_end, current_period_end, ended_at }: SubscriptionState): {
  expires_at: string | null;
  withheld: Withheld;
} {
  return { expires_at: ended_at ?? (cancel_at_period_end ? current_period_end : null), withheld: entitled.has(status) ? null : 'ended' };
}
