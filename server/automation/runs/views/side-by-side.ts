import type { Outcome } from '../../../../contract/run-comparison.ts';

export type Pair<T> = { outcome: Outcome; a: T | null; b: T | null };

/**
 * Puts two lists side by side, in the order of the first: the nth item with a key stands beside the nth with that key in the other list, as
 * a run's repeated call finds its answer. What only the second list has stands where it came there, before what followed it.
 */
export function sideBySide<T>(
  a: readonly T[],
  b: readonly T[],
  { keyOf, isSame }: { keyOf: (item: T) => string; isSame: (one: T, other: T) => boolean },
): Pair<T>[] {
  const keysOfA = numbered(a, keyOf);
  const keysOfB = numbered(b, keyOf);
  const inA = new Set(keysOfA);
  const placeInB = new Map(keysOfB.map((key, n) => [key, n]));
  const pairs: Pair<T>[] = [];
  let passed = 0;
  const passTo = (end: number): void => {
    for (; passed < end; passed++) {
      const item = b[passed];
      if (item !== undefined && !inA.has(keysOfB[passed] ?? '')) pairs.push({ outcome: 'only_b', a: null, b: item });
    }
  };
  a.forEach((item, n) => {
    const place = placeInB.get(keysOfA[n] ?? '');
    const other = place === undefined ? undefined : b[place];
    if (place === undefined || other === undefined) {
      pairs.push({ outcome: 'only_a', a: item, b: null });
      return;
    }
    passTo(place);
    pairs.push({ outcome: isSame(item, other) ? 'same' : 'changed', a: item, b: other });
  });
  passTo(b.length);
  return pairs;
}

/** The key of each item with the number of its occurrence. */
function numbered<T>(items: readonly T[], keyOf: (item: T) => string): string[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const n = seen.get(key) ?? 0;
    seen.set(key, n + 1);
    return `${n} ${key}`;
  });
}
