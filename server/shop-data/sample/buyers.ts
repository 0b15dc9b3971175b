import type { Calendar } from './calendar.ts';
import { firstOrderOf, type Person, personAt } from './customers.ts';
import { type Random, randomOf } from './random.ts';

/** Who places the k-th order; null: a walk-in. Customers come in their order and buy again while they stay. */
export function buyerPicker(
  seed: number,
  calendar: Calendar,
  orders: number,
  customers: number,
): (k: number, atMs: number) => Person | null {
  return (k, atMs) => {
    const random = randomOf(seed, 'buyer', k);
    const newest = newestAt(k, customers, orders);
    if (firstOrderOf(newest, customers, orders) === k) return personAt(seed, calendar, orders, customers, newest);
    if (random.chance(0.03)) return null;
    return returning(random, newest, atMs) ?? personAt(seed, calendar, orders, customers, newest);
  };

  function returning(random: Random, newest: number, atMs: number): Person | null {
    for (let tries = 0; tries < 12; tries++) {
      const person = personAt(seed, calendar, orders, customers, random.int(0, newest));
      if (person.leavesMs > atMs && random.chance(person.loyalty)) return person;
    }
    return null;
  }
}

/** The customer who came with this order or was the last to come before it. */
function newestAt(k: number, customers: number, orders: number): number {
  const index = Math.min(customers - 1, Math.ceil(((k + 1) * customers) / orders) - 1);
  return Math.max(0, index);
}
