import type { PaymentStatus } from '../../../contract/orders.ts';

type Recorded = { amount_cents: number; paid: boolean };

/** The sum of the paid records in minor units; it may exceed a safe integer. */
export function sumPaid(records: readonly Recorded[]): bigint {
  return records.reduce((sum, { amount_cents: amount, paid }) => (paid ? sum + BigInt(amount) : sum), 0n);
}

/** The payment status after a change of the records (spec PP1, PP2). `base` is the status before the first record. */
export function paymentStatus(total: number, records: readonly Recorded[], base: PaymentStatus): PaymentStatus {
  if (records.length === 0) return base === 'pending' ? 'pending' : 'none';
  return sumPaid(records) >= BigInt(total) ? 'paid' : 'pending';
}

/** The time of payment after a change: it stays while the record is paid, and is cleared with the mark (spec PP6). */
export function paidAt(before: { paid: boolean; paid_at: string | null }, paid: boolean, now: string): string | null {
  if (!paid) return null;
  return before.paid ? before.paid_at : now;
}

/** Whether the list names each of these ids exactly once (spec PP8). */
export function listsExactly(ids: readonly number[], listed: readonly number[]): boolean {
  return ids.length === listed.length && new Set([...ids, ...listed]).size === ids.length && new Set(listed).size === listed.length;
}
