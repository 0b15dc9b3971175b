import { PORTION, type Slow } from './decoded.ts';

/** Finds many texts in a long one, in one pass over it however many they are. */

/** `around`: of a part of a secret, what may stand beside it and is taken to belong to it; null: this is a whole secret. */
export type Form = { text: string; name: string; around: RegExp | null };
/** `core`: of a part of a secret, the part itself without what stands around it. */
export type Span = { start: number; end: number; name: string; core: { start: number; end: number } | null };
/** `whole`: the text before it was made comparable, of the same length. */
export type Seeker = (text: string, whole: string) => Slow<Span[]>;

/** Where a form begins is found by the hash of so many characters. */
const WINDOW = 8;
const FACTOR = 31;
const FACTOR_OF_LAST = Array.from({ length: WINDOW }).reduce((product: number) => Math.imul(product, FACTOR), 1);

export function seekerOf(forms: readonly Form[]): Seeker {
  const short = forms.filter(({ text }) => text.length < WINDOW);
  const long = Map.groupBy(
    forms.filter(({ text }) => text.length >= WINDOW),
    ({ text }) => hashOf(text),
  );
  // Most windows are told apart by this alone.
  const known = new Uint8Array(0x1_0000);
  for (const hash of long.keys()) known[slotOf(hash)] = 1;
  return function* seek(text, whole) {
    const spans: Span[] = [];
    for (const form of short) {
      for (let at = text.indexOf(form.text); at !== -1; at = text.indexOf(form.text, at + form.text.length)) {
        spans.push(spanOf(whole, form, at));
        if (spans.length % PORTION === 0) yield PORTION;
      }
      yield PORTION;
    }
    const ends = new Map<Form, number>();
    let hash = 0;
    for (let next = 0; long.size > 0 && next < text.length; next++) {
      const left = next < WINDOW ? 0 : text.charCodeAt(next - WINDOW);
      hash = (Math.imul(hash, FACTOR) + text.charCodeAt(next) - Math.imul(left, FACTOR_OF_LAST)) | 0;
      if (next >= WINDOW - 1 && known[slotOf(hash)] === 1) {
        const start = next - WINDOW + 1;
        for (const form of long.get(hash) ?? []) {
          if (start < (ends.get(form) ?? 0) || !text.startsWith(form.text, start)) continue;
          spans.push(spanOf(whole, form, start));
          ends.set(form, start + form.text.length);
        }
      }
      if (next % PORTION === PORTION - 1) yield PORTION;
    }
    return spans;
  };
}

/** So much around a piece of a secret may belong to it: less than another piece, in hex. */
const AROUND_MAX = 48;

function spanOf(whole: string, { text, name, around }: Form, start: number): Span {
  const end = start + text.length;
  if (around === null) return { start, end, name, core: null };
  const [least, most] = [Math.max(0, start - AROUND_MAX), Math.min(whole.length, end + AROUND_MAX)];
  let [first, last] = [start, end];
  while (first > least && around.test(whole.charAt(first - 1))) first -= 1;
  while (last < most && around.test(whole.charAt(last))) last += 1;
  return { start: first, end: last, name, core: { start, end } };
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < WINDOW; at++) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(at)) | 0;
  return hash;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
