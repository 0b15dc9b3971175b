import type { PaymentStatus } from '../../../contract/orders.ts';
import type { PaymentState } from '../../providers/payments/provider.ts';

export type ProviderPayment = {
  state: PaymentState;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  told_at: string;
  refund_told_at: string | null;
};

/** Within one second, which is as fine as a provider tells the time, a payment only moves in this direction. */
const ranks: Record<PaymentState, number> = { processing: 0, failed: 1, succeeded: 2 };

/** Whether what is told is newer than what is known. A payment that has succeeded never becomes another. */
export function isNews(known: ProviderPayment, state: PaymentState, toldAt: string): boolean {
  if (known.state === 'succeeded') return false;
  return toldAt > known.told_at || (toldAt === known.told_at && ranks[state] > ranks[known.state]);
}

/** Refunds are told as their sum so far; of two in one second the larger is the newer. */
export function isNewRefund(known: ProviderPayment, refunded: number, toldAt: string): boolean {
  if (refunded === known.refunded_cents) return false;
  const last = known.refund_told_at ?? '';
  return toldAt > last || (toldAt === last && refunded > known.refunded_cents);
}

/** What all payments of an order come to; null: they say nothing. `paid` null: in another currency than the order's. */
export function paymentOf(
  order: { total: number; currency: string },
  payments: readonly ProviderPayment[],
): { status: PaymentStatus; paid: number | null } | null {
  const succeeded = payments.filter(({ state }) => state === 'succeeded');
  if (succeeded.length === 0) {
    const newest = payments.reduce<ProviderPayment | null>((a, b) => (a === null || b.told_at >= a.told_at ? b : a), null);
    return newest && { status: newest.state === 'failed' ? 'failed' : 'pending', paid: 0 };
  }
  const amount = sum(succeeded, 'amount_cents');
  const refunded = sum(succeeded, 'refunded_cents');
  if (refunded > 0 && refunded >= amount) return { status: 'refunded', paid: 0 };
  if (succeeded.some(({ currency }) => currency !== order.currency)) return { status: 'paid', paid: null };
  // What was given back was paid before: the order stays paid until all of it went back.
  return { status: amount >= order.total ? 'paid' : 'pending', paid: amount - refunded };
}

function sum(payments: readonly ProviderPayment[], column: 'amount_cents' | 'refunded_cents'): number {
  return payments.reduce((total, payment) => total + payment[column], 0);
}
