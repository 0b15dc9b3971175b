/** So many lines at most stand above the first one, which is 0. */
const LINES = 4;

/** Round values for the lines of a chart, from 0 to at least the highest value: 1, 2, 2.5 or 5 times a power of ten apart. */
export function axisOf(highest: number): number[] {
  if (highest <= 0) return [0];
  const least = highest / LINES;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  const steps = power === 1 ? [1, 2, 5] : [1, 2, 2.5, 5];
  const step = steps.map((times) => times * power).find((one) => one >= least) ?? 10 * power;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, line) => line * step);
}

/** The days, counted from the first one, that are named below a chart. The last one is among them. */
export function labelledDays(days: number): number[] {
  const step = days <= 7 ? 1 : Math.ceil(days / 6);
  return Array.from({ length: Math.ceil(days / step) }, (_, label) => days - 1 - label * step).reverse();
}
