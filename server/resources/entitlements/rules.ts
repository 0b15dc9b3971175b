import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';

/**
 * Why an entitlement gives no access, whatever the time. `cancelled`: its order is cancelled. `unpaid`: its order was
 * refunded and not paid since, or an added product is not paid yet. `subscribed`: its product is a subscription, which gives
 * access itself. `ended`: its subscription is over or was never paid.
 */
export type Withheld = 'cancelled' | 'unpaid' | 'subscribed' | 'ended' | null;

type OrderState = { status: OrderStatus; payment_status: PaymentStatus };

/**
 * The state of an order's entitlement after a change. Only a payment ends `unpaid`; access that comes back keeps its first
 * start (spec AG9).
 */
export function withheldByOrder(before: Withheld, { status, payment_status }: OrderState): Withheld {
  if (before === 'subscribed') return before;
  if (payment_status === 'refunded' || (before === 'unpaid' && payment_status !== 'paid')) return 'unpaid';
  return status === 'cancelled' ? 'cancelled' : null;
}

/**
 * The state of an entitlement for a product that an edit adds to an order that was bought before: it waits for the payment if
 * one is due.
 */
export function withheldWhenAdded(order: OrderState & { total: number }): Withheld {
  return withheldByOrder(order.payment_status === 'paid' || order.total === 0 ? null : 'unpaid', order);
}

const DAY_MS = 86_400_000;

/** The end of an access that lasts so many days; null means it has no end (spec AG8). */
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

/** The access that a subscription gives: as long as it runs (spec AG4, AG11). */
export function accessOf({ status, cancel_at_period_end, current_period_end, ended_at }: SubscriptionState): {
  expires_at: string | null;
  withheld: Withheld;
} {
  return { expires_at: ended_at ?? (cancel_at_period_end ? current_period_end : null), withheld: entitled.has(status) ? null : 'ended' };
}
