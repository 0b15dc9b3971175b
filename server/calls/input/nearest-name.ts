/** Longer names are not compared, because the time for it grows with their length. */
const LONGEST = 64;

/** The known name that was most likely meant: one with a typo or two, or one that contains the other. null: none is similar. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST) return null;
  const given = plain(name);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(given.length / 3)) + 0.5;
  for (const one of known) {
    const other = plain(one);
    const isPart = given.length > 2 && other.length > 2 && (given.includes(other) || other.includes(given));
    const far = Math.min(slips(given, other), isPart ? 1.25 : Infinity);
    if (far < least) [nearest, least] = [one, far];
  }
  return nearest;
}

/** `priceCents` and `price-cents` are spelt like `price_cents`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** How many letters must be added, removed, replaced, or swapped with the next one, to make `b` of `a` (optimal string alignment). */
function slips(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1 ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
