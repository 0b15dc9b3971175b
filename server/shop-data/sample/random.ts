import { seededNumbers } from '../../values/seeded-numbers.ts';

export type Random = {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** An integer from `min` to `max`, including both. */
  int(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** One of the keys; the weights give their probabilities. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
};

/** Random numbers of its own for each thing, so that each can be made again without those before it. */
export function randomOf(seed: number, kind: string, index: number): Random {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  for (let i = 0; i < kind.length; i++) mixed = Math.imul(mixed ^ kind.charCodeAt(i), 0x01000193);
  const next = seededNumbers(mixed);
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    weighted(weights) {
      let total = 0;
      for (const key in weights) total += weights[key];
      let left = next() * total;
      for (const key in weights) {
        left -= weights[key];
        if (left < 0) return key;
      }
      throw new Error('the sum of the weights must be above 0');
    },
  };
}
