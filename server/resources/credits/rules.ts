import type { CreditBucket } from '../../../contract/customer-credits.ts';

/** What a debit takes from one bucket. */
export type Take = { credit_id: number; amount: number; left: number };

/**
 * Takes from the buckets in the order given, which is soonest expiry first, as much as each has
 * (decisions.md CR3); null where all together hold less.
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

/** Days of 24 hours from now (decisions.md CR5); null: never. */
export function expiryAfter(now: string, days: number | null): string | null {
  return days === null ? null : new Date(Date.parse(now) + days * DAY_MS).toISOString();
}

export function balanceOf(buckets: readonly CreditBucket[]): number {
  return buckets.reduce((sum, { remaining_credits }) => sum + remaining_credits, 0);
}
