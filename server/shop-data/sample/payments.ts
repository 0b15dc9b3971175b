import type { NewRow } from '../../db/tables.ts';
import { paymentStatus, sumPaid } from '../../resources/payments/rules.ts';
import type { OrderRow } from './orders.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;

/**
 * Payment records that an admin entered, for some of the orders with the provider "manual". Sets the order's payment status and
 * paid amount from them.
 */
export function paymentRows(order: OrderRow, random: Random): NewRow<'payments'>[] {
  if (order.payment_provider !== 'manual' || order.total < 100) return [];
  if (order.payment_status === 'pending') return partPaid(order, random);
  return order.payment_status === 'paid' && random.chance(0.4) ? whollyPaid(order, random) : [];
}

function partPaid(order: OrderRow, random: Random): NewRow<'payments'>[] {
  const deposit = Math.floor((order.total * random.int(20, 60)) / 100);
  const isPaid = random.chance(0.7);
  return settle(order, 'pending', [
    { label: 'Deposit', amount_cents: deposit, paid: isPaid },
    { label: 'On delivery', amount_cents: order.total - deposit, paid: false },
  ]);
}

function whollyPaid(order: OrderRow, random: Random): NewRow<'payments'>[] {
  const way = random.weighted({ once: 60, twice: 25, tooMuch: 15 });
  if (way === 'once') return settle(order, 'none', [{ label: 'Cash', amount_cents: order.total, paid: true }]);
  if (way === 'tooMuch') {
    return settle(order, 'pending', [{ label: 'Bank transfer', amount_cents: Math.ceil((order.total + 1) / 500) * 500, paid: true }]);
  }
  const first = Math.floor(order.total / 2);
  return settle(order, 'pending', [
    { label: 'Cash', amount_cents: first, paid: true },
    { label: 'Card', amount_cents: order.total - first, paid: true },
  ]);
}

type Part = { label: string; amount_cents: number; paid: boolean };

/** Makes the payment rows, and sets the order's payment status and paid amount from them. */
function settle(order: OrderRow, base: 'none' | 'pending', parts: readonly Part[]): NewRow<'payments'>[] {
  order.base_payment_status = base;
  order.paid_amount = Number(sumPaid(parts));
  order.payment_status = paymentStatus(order.total, parts, base);
  return parts.map(({ label, amount_cents, paid }, i) => {
    const at = new Date(Math.min(Date.parse(order.updated_at), Date.parse(order.created_at) + i * HOUR_MS)).toISOString();
    return {
      order_id: order.id,
      label,
      amount_cents,
      paid: paid ? 1 : 0,
      paid_at: paid ? at : null,
      note: i === 0 && amount_cents > order.total ? 'Rounded up' : null,
      sort_order: i + 1,
      created_at: at,
      updated_at: at,
    };
  });
}
