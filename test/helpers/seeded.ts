import { seededNumbers } from '../../server/values/seeded-numbers.ts';

/** Chooses a seed. A test prints it, so that a failed test can be run again: `SEED=… node --test …`. */
export function chooseSeed(): number {
  const given = process.env['SEED'];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}

export type Random = { next(): number; below(n: number): number; pick<T>(list: readonly T[]): T };

/** Random numbers that are always the same for the same seed. */
export function seeded(seed: number): Random {
  const next = seededNumbers(seed);
  const below = (n: number): number => Math.floor(next() * n);
  return {
    next,
    below,
    pick(list) {
      const item = list[below(list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}
