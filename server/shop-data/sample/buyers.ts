import type { People, Person } from './customers.ts';
import { type Random, randomOf } from './random.ts';

/**
 * Returns a function that chooses the customer of the k-th order; null: a walk-in buyer without an account. Customers place their
 * first orders one after another, by index, and buy again until they leave.
 */
export function buyerPicker(seed: number, people: People, orders: number): (k: number, atMs: number) => Person | null {
  return (k, atMs) => {
    const random = randomOf(seed, 'buyer', k);
    const newest = newestAt(k);
    if (people.firstOrderOf(newest) === k) return people.at(newest);
    if (random.chance(0.03)) return null;
    return returning(random, newest, atMs) ?? people.at(newest);
  };

  function returning(random: Random, newest: number, atMs: number): Person | null {
    for (let tries = 0; tries < 12; tries++) {
      const person = people.at(random.int(0, newest));
      if (person.leavesMs > atMs && random.chance(person.loyalty)) return person;
    }
    return null;
  }

  /** The index of the last customer who has placed a first order by the k-th order. */
  function newestAt(k: number): number {
    const index = Math.min(people.count - 1, Math.ceil(((k + 1) * people.count) / orders) - 1);
    return Math.max(0, index);
  }
}
