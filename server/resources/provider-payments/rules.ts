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

/** Providers give times to the second. Of two states in the same second the one with the higher rank is the later one. */
const ranks: Record<PaymentState, number> = { processing: 0, failed: 1, succeeded: 2 };

/** Whether an event's state is newer than the stored one. A payment that has succeeded never changes its state. */
export function isNews(known: ProviderPayment, state: PaymentState, toldAt: string): boolean {
  if (known.state === 'succeeded') return false;
  return toldAt > known.told_at || (toldAt === known.told_at && ranks[state] > ranks[known.state]);
}

/**
 * Whether a refund is newer than the stored one. Providers send the sum refunded so far, so of two in the same second the
 * larger is the newer.
 */
export function isNewRefund(known: ProviderPayment, refunded: number, toldAt: string): boolean {
  if (refunded === known.refunded_cents) return false;
  const last = known.refund_told_at ?? '';
  return toldAt > last || (toldAt === last && refunded > known.refunded_cents);
}

/**
 * The payment status and amount that all payments of an order imply; null if there are no payments. `paid` is null if they
 * are in another currency than the order.
 */
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
  // Refunded amounts were paid before, so the order stays paid until everything is refunded.
  return { status: amount >= order.total ? 'paid' : 'pending', paid: amount - refunded };
}

function sum(payments: readonly ProviderPayment[], column: 'amount_cents' | 'refunded_cents'): number {
  return payments.reduce((total, payment) => total + payment[column], 0);
}
