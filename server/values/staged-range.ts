/**
 * Rows made in a dry run get ids of a range of their own, so that they never meet real ones (automation.md §6): from here
 * to the largest safe integer.
 */
export const STAGED_FROM = 2 ** 52;

/** The one id of what somebody outside would have made. */
export const SAMPLE_ID = Number.MAX_SAFE_INTEGER;

const SIXTEEN_DIGITS = /(?<!\d)\d{16}(?!\d)/g;

/** The staged ids that a text names. */
export function stagedIdsIn(text: string): number[] {
  return [...new Set(text.match(SIXTEEN_DIGITS)?.map(Number).filter(isStaged))];
}

/** The text with real ids instead of staged ones, as far as they are known. */
export function withRealIds(text: string, real: ReadonlyMap<number, number>): string {
  return text.replaceAll(SIXTEEN_DIGITS, (digits) => String(real.get(Number(digits)) ?? digits));
}

function isStaged(id: number): boolean {
  return id >= STAGED_FROM && id < SAMPLE_ID;
}
