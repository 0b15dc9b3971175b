import type { BillingInterval, SubscriptionStatus } from '../../../contract/subscriptions.ts';

/** A provider's subscription never leaves these; nor does ours, whatever comes in late (decisions.md SU2). */
export function isOver(status: SubscriptionStatus): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** The same day and time `count` intervals later; where a month has no such day, its last one. */
export function periodEnd(start: string, interval: BillingInterval, count: number): string {
  const at = new Date(start);
  if (interval === 'day' || interval === 'week') {
    at.setUTCDate(at.getUTCDate() + count * (interval === 'week' ? 7 : 1));
    return at.toISOString();
  }
  const day = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(day, last));
  return at.toISOString();
}
