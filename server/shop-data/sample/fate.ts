import { type OrderStatus, orderStatuses, type PaymentStatus, paymentStatuses } from '../../../contract/orders.ts';
import type { Random } from './random.ts';

export type Fate = { status: OrderStatus; payment: PaymentStatus };

const DAY_MS = 86_400_000;
/** One in 80 orders gets the next pair of order status and payment status, so that every pair occurs in the shop. */
const EVERY_PAIR = 80;
const PAIR_AT = 7;
const PLAN_AT = 47;

/** Whether an order must include a subscription, so that subscriptions of every status exist. */
export function isShowcase(index: number): boolean {
  return index % (2 * EVERY_PAIR) === PAIR_AT || index % EVERY_PAIR === PLAN_AT;
}

/** The number of the group of 80 orders that the order is in, counted from 0. */
export function showcaseNumber(index: number): number {
  return Math.floor(index / EVERY_PAIR);
}

/** The statuses of an order of this age: most are delivered and paid; some are late, unpaid, cancelled, refunded or failed. */
export function fateOf(random: Random, index: number, ageMs: number): Fate {
  const days = ageMs / DAY_MS;
  if (index % EVERY_PAIR === PAIR_AT) return nthPair(showcaseNumber(index));
  if (random.chance(0.04)) {
    return { status: 'cancelled', payment: random.weighted({ refunded: 55, failed: 20, pending: 15, none: 10, paid: 0 }) };
  }
  if (random.chance(0.02)) return { status: 'delivered', payment: 'refunded' };
  if (random.chance(0.012)) return { status: 'pending', payment: 'failed' };
  if (days > 5 && days < 60) {
    if (random.chance(0.06)) return { status: random.chance(0.5) ? 'pending' : 'processing', payment: 'paid' };
    if (random.chance(0.05)) return { status: 'pending', payment: 'pending' };
  }
  const payment = random.chance(days < 2 ? 0.15 : 0.01) ? 'pending' : 'paid';
  if (days < 1) return { status: random.chance(0.5) ? 'pending' : 'processing', payment };
  if (days < 4) return { status: random.weighted({ processing: 45, shipped: 55, pending: 0, delivered: 0, cancelled: 0 }), payment };
  if (days < 10) return { status: random.chance(0.4) ? 'shipped' : 'delivered', payment };
  return { status: 'delivered', payment };
}

function nthPair(n: number): Fate {
  const pair = n % (orderStatuses.length * paymentStatuses.length);
  return {
    status: orderStatuses[pair % orderStatuses.length] ?? 'pending',
    payment: paymentStatuses[Math.floor(pair / orderStatuses.length)] ?? 'none',
  };
}
