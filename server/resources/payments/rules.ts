import type { PaymentStatus } from '../../../contract/orders.ts';

type Recorded = { amount_cents: number; paid: boolean };

/** What the paid records add up to; may be more than a safe integer. */
export function sumPaid(records: readonly Recorded[]): bigint {
  return records.reduce((sum, { amount_cents: amount, paid }) => (paid ? sum + BigInt(amount) : sum), 0n);
}

/** After any change of the records (decisions.md PP1, PP2); `base`: the status before the first of them. */
export function paymentStatus(total: number, records: readonly Recorded[], base: PaymentStatus): PaymentStatus {
  if (records.length === 0) return base === 'pending' ? 'pending' : 'none';
  return sumPaid(records) >= BigInt(total) ? 'paid' : 'pending';
}

/** decisions.md PP6: kept while paid, gone with it. */
export function paidAt(before: { paid: boolean; paid_at: string | null }, paid: boolean, now: string): string | null {
  if (!paid) return null;
  return before.paid ? before.paid_at : now;
}

/** Whether the list names each of these ids exactly once (decisions.md PP8). */
export function listsExactly(ids: readonly number[], listed: readonly number[]): boolean {
  return ids.length === listed.length && new Set([...ids, ...listed]).size === ids.length && new Set(listed).size === listed.length;
}
