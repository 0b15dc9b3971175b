import type { ErrorItem } from '../../../contract/errors.ts';
import { pointerTo } from './unknown-names.ts';

/** A number of a JSON text that JavaScript cannot represent exactly. `pointer`: its place (RFC 6901). */
export type InexactNumber = {
  pointer: string;
  source: string;
  /** Why it cannot be held: it is beyond the whole numbers that are all distinct, or beyond every number. */
  kind: 'whole' | 'infinite';
  /** False: it happens to be written as the number that it becomes, as programs in JavaScript write it. */
  isChanged: boolean;
};

/** What becomes of the numbers that cannot be held: numbers that are near, or, of whole ones, their text. */
export type Inexact = 'number' | 'text';

class Mark {
  readonly source: string;
  readonly kind: InexactNumber['kind'];
  constructor(source: string, kind: InexactNumber['kind']) {
    this.source = source;
    this.kind = kind;
  }
}

/** A quick test that spares most texts the slow parser: a text that does not match has only numbers that JavaScript represents exactly. */
const SUSPECT = /\d{16}|\d[eE]\+?\d/;
const WHOLE = /^-?\d+(?:\.0+)?$/;

/** Parses JSON as `JSON.parse` does, and names the numbers that do not survive it. */
export function parsedExactly(text: string, inexact: Inexact): { value: unknown; numbers: readonly InexactNumber[] } {
  if (!SUSPECT.test(text)) return { value: JSON.parse(text), numbers: [] };
  let isMarked = false;
  // The declarations of TypeScript do not know the context yet.
  const marked: unknown = JSON.parse(text, (...[, value, context]: unknown[]) => {
    const source = sourceOf(context);
    const kind = typeof value === 'number' && source !== null ? kindOf(value, source) : null;
    if (source === null || kind === null) return value;
    isMarked = true;
    return new Mark(source, kind);
  });
  if (!isMarked) return { value: marked, numbers: [] };
  const numbers: InexactNumber[] = [];
  return { value: unmarked(marked, '', { inexact, numbers }), numbers };
}

function sourceOf(context: unknown): string | null {
  return typeof context === 'object' && context !== null && 'source' in context && typeof context.source === 'string'
    ? context.source
    : null;
}

function kindOf(value: number, source: string): InexactNumber['kind'] | null {
  if (!Number.isFinite(value)) return 'infinite';
  return !Number.isSafeInteger(value) && WHOLE.test(source) ? 'whole' : null;
}

/** The value with its marks replaced, each of which is added to the list. */
function unmarked(value: unknown, pointer: string, found: { inexact: Inexact; numbers: InexactNumber[] }): unknown {
  if (value instanceof Mark) {
    const { source, kind } = value;
    const number = Number(source);
    found.numbers.push({ pointer, source, kind, isChanged: String(number) !== source });
    return kind === 'whole' && found.inexact === 'text' ? source : number;
  }
  if (Array.isArray(value)) return value.map((one, index) => unmarked(one, `${pointer}/${index}`, found));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, unmarked(one, pointer + pointerTo([name]), found)] as const);
  return Object.fromEntries(entries);
}

/** The most errors of this kind in one answer. */
const TOLD_MAX = 20;

/** An error for each of the first such numbers. */
export function errorsAbout(numbers: readonly InexactNumber[]): ErrorItem[] {
  return numbers.slice(0, TOLD_MAX).map((one) => ({ pointer: one.pointer, parameter: null, code: 'out_of_range', detail: faultOf(one) }));
}

/** What is wrong with such a number, as an error says it of its place. */
export function faultOf({ kind }: InexactNumber): string {
  if (kind === 'infinite') return 'must be finite (at most 1.8e308)';
  return `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, because a larger whole number would be changed; send it as text`;
}
