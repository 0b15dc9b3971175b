import type { BillingInterval } from '../../../contract/subscriptions.ts';

/** A number of subscriptions with the same interval and amount; `amount` is in minor units. */
export type Charged = { billing_interval: BillingInterval; billing_interval_count: number; amount: number; n: number };

/** How many periods a month has, as a fraction: a year has 12 months, 52 weeks or 365 days. */
const perMonth = { month: [1, 1], year: [1, 12], week: [52, 12], day: [365, 12] } as const;

/** Monthly revenue of subscriptions in minor units; each subscription is rounded half up (spec IN2). */
export function monthlyRevenue(charged: readonly Charged[]): number {
  return charged.reduce((sum, { billing_interval, billing_interval_count, amount, n }) => {
    const [times, parts] = perMonth[billing_interval];
    const [dividend, divisor] = [BigInt(amount) * BigInt(times), BigInt(parts) * BigInt(billing_interval_count)];
    return sum + Number((2n * dividend + divisor) / (2n * divisor)) * n;
  }, 0);
}

/** The share of buyers with more than one order, from 0 to 1 with four decimals; 0 if nobody has bought. */
export function repeatRate({ buyers, repeated }: { buyers: number; repeated: number }): number {
  return buyers === 0 ? 0 : Math.round((repeated / buyers) * 10_000) / 10_000;
}

/** The first day of a day's month, and the first day of the month after. */
export function monthOf(day: string): [first: string, next: string] {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return [`${day.slice(0, 8)}01`, next];
}

/** The last `count` days up to and including `last`, in order. */
export function daysUpTo(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00.000Z`);
  return Array.from({ length: count }, (_, i) => new Date(end - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10));
}
