import type { BillingInterval } from '../../../contract/subscriptions.ts';

/** Subscriptions that are charged alike. */
export type Charged = { billing_interval: BillingInterval; billing_interval_count: number; amount: number; n: number };

/** A month is a twelfth of a year of 365 days or 52 weeks. */
const perMonth = { month: [1, 1], year: [1, 12], week: [52, 12], day: [365, 12] } as const;

/** What subscriptions bring in a month, each rounded half up (decisions.md IN2). */
export function monthlyRevenue(charged: readonly Charged[]): number {
  return charged.reduce((sum, { billing_interval, billing_interval_count, amount, n }) => {
    const [times, parts] = perMonth[billing_interval];
    const [dividend, divisor] = [BigInt(amount) * BigInt(times), BigInt(parts) * BigInt(billing_interval_count)];
    return sum + Number((2n * dividend + divisor) / (2n * divisor)) * n;
  }, 0);
}

/** From 0 to 1 with four decimals; 0 where nobody has bought. */
export function repeatRate({ buyers, repeated }: { buyers: number; repeated: number }): number {
  return buyers === 0 ? 0 : Math.round((repeated / buyers) * 10_000) / 10_000;
}

/** The first days of a day's month and of the month after. */
export function monthOf(day: string): [first: string, next: string] {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return [`${day.slice(0, 8)}01`, next];
}

/** So many days up to one, in order. */
export function daysUpTo(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00.000Z`);
  return Array.from({ length: count }, (_, i) => new Date(end - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10));
}
