import { seededNumbers } from '../../../server/values/seeded-numbers.ts';

/** Random numbers from a seed, so that a soak that failed can be repeated, except for its timing. */
export type Random = {
  /** 0 ≤ n < below. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T | undefined;
};

export function randomOf(seed: number): Random {
  const next = seededNumbers(seed);
  const below = (n: number): number => Math.floor(next() * n);
  return { below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] };
}
