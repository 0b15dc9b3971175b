/**
 * Rows that a dry run makes get ids from here up to the largest safe integer, so that they never collide with real ids (spec DR3).
 */
export const STAGED_FROM = 2 ** 52;

/** The id of every record of a sample, which nobody outside has really made. */
export const SAMPLE_ID = Number.MAX_SAFE_INTEGER;

const SIXTEEN_DIGITS = /(?<!\d)\d{16}(?!\d)/g;

/** The staged ids that occur in a text. */
export function stagedIdsIn(text: string): number[] {
  return [...new Set(text.match(SIXTEEN_DIGITS)?.map(Number).filter(isStaged))];
}

/** Replaces the staged ids in a text by real ids, as far as those are known. */
export function withRealIds(text: string, real: ReadonlyMap<number, number>): string {
  return text.replaceAll(SIXTEEN_DIGITS, (digits) => String(real.get(Number(digits)) ?? digits));
}

/** The text with one and the same word in place of every staged id. */
export function withoutStagedIds(text: string): string {
  return text.replaceAll(SIXTEEN_DIGITS, (digits) => (isStaged(Number(digits)) ? 'new' : digits));
}

function isStaged(id: number): boolean {
  return id >= STAGED_FROM && id < SAMPLE_ID;
}
