import type { CreditBucket } from '../../../contract/customer-credits.ts';

/** The amount that a debit takes from one bucket, and what is left in it. */
export type Take = { credit_id: number; amount: number; left: number };

/**
 * Takes from the buckets in the given order (soonest expiry first) as much as each has (spec CR3); returns null if
 * all together hold less.
 */
export function planDebit(buckets: readonly CreditBucket[], amount: number): Take[] | null {
  const takes: Take[] = [];
  let missing = amount;
  for (const { id, remaining_credits } of buckets) {
    if (missing === 0) break;
    const taken = Math.min(remaining_credits, missing);
    takes.push({ credit_id: id, amount: taken, left: remaining_credits - taken });
    missing -= taken;
  }
  return missing === 0 ? takes : null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time after so many days of 24 hours (spec CR5); null means never. */
export function expiryAfter(now: string, days: number | null): string | null {
  return days === null ? null : new Date(Date.parse(now) + days * DAY_MS).toISOString();
}

export function balanceOf(buckets: readonly CreditBucket[]): number {
  return buckets.reduce((sum, { remaining_credits }) => sum + remaining_credits, 0);
}
