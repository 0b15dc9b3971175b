/** Numbers that follow from a seed, so that a run that went wrong can be had again, but for the timing. */
export type Random = {
  /** 0 ≤ n < below. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T | undefined;
};

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] };
}
