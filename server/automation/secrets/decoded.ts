/**
 * Texts without the escapes that JSON, URLs and HTML put into them, and the way back to where each character came from. A text here is a
 * list of bytes, each as one character (latin1), so a UTF-8 character is found whatever wrote it.
 */
export type Decoded = { text: string; from: From };
/** The place in the first text of a place in the decoded one; `end`: the place behind a character. */
export type From = (place: number, end: boolean) => number;
/** Work that stops at short intervals, so that whoever drives it can let others have their turn. */
export type Slow<T> = Generator<undefined, T, undefined>;

const ESCAPES =
  /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/bfnrt]))|%([0-9a-f]{2})|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** A text in a text in a text, and some more; each takes one pass. */
const PASSES_MAX = 6;

/** Takes out the escapes of all layers. */
export function* decoded(text: string): Slow<Decoded> {
  let result: Decoded = { text, from: (place) => place };
  for (let pass = 0; pass < PASSES_MAX && /[\\%&]/.test(result.text); pass++) {
    const next: Decoded = yield* replaced(result, ESCAPES, characterOf);
    if (next.text === result.text) break;
    result = next;
  }
  return result;
}

/** The text without what matches. */
export function without({ text, from }: Decoded, pattern: RegExp): Slow<Decoded> {
  return replaced({ text, from }, pattern, () => '');
}

/** The bytes of a text as such a text. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

type Match = RegExpExecArray;

/** So many matches take a few milliseconds. */
const MATCHES_AT_ONCE = 4000;

function* replaced({ text, from }: Decoded, pattern: RegExp, by: (match: Match) => string): Slow<Decoded> {
  const parts: string[] = [];
  /** Of each replacement: where it begins and ends in the old text and in the new one. */
  const [starts, ends, newStarts, newEnds] = [[], [], [], []] as number[][] as [number[], number[], number[], number[]];
  let [at, length] = [0, 0];
  for (const match of text.matchAll(pattern)) {
    const put = by(match);
    parts.push(text.slice(at, match.index), put);
    length += match.index - at;
    newStarts.push(length);
    length += put.length;
    newEnds.push(length);
    starts.push(match.index);
    at = match.index + match[0].length;
    ends.push(at);
    if (ends.length % MATCHES_AT_ONCE === 0) yield;
  }
  if (at === 0) return { text, from };
  parts.push(text.slice(at));
  return {
    text: parts.join(''),
    from(place, end) {
      // Of two replacements without text, the one before a beginning and the one behind an end are left out.
      const last = end ? lastBelow(newStarts, place - 1) : lastBelow(newEnds, place);
      const [old = 0, now = 0] = [ends[last], newEnds[last]];
      if (place < now) return from(old, end);
      const inNext = newStarts[last + 1];
      if (!end && inNext !== undefined && place > inNext) return from(starts[last + 1] ?? 0, end);
      return from(old + place - now, end);
    },
  };
}

/** The index of the last of these rising numbers that is at most `limit`; -1: there is none. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function characterOf([whole, high, low, unit, byte, letter, percent, decimal, hex, entity]: Match): string {
  const point = (digits: string, base: number): string => {
    const code = Number.parseInt(digits, base);
    return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : whole;
  };
  if (high !== undefined && low !== undefined) return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  if (unit !== undefined) return point(unit, 16);
  if (byte !== undefined || percent !== undefined) return String.fromCharCode(Number.parseInt(byte ?? percent ?? '', 16));
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (decimal !== undefined) return point(decimal, 10);
  if (hex !== undefined) return point(hex, 16);
  return ENTITIES[(entity ?? '').toLowerCase()] ?? whole;
}
