/**
 * Texts without the escapes that JSON, URLs and HTML put into them, and the way back to where each character came from. A text here is a
 * list of bytes, each as one character (latin1), so a UTF-8 character is found whatever wrote it.
 */
export type Decoded = { text: string; from: From };
/** The place in the first text of a place in the decoded one; `end`: the place behind a character. */
export type From = (place: number, end: boolean) => number;
/**
 * Work that stops at short intervals, so that whoever drives it can let others have their turn. It yields how many characters, replacements
 * or spans it has dealt with since the last time, at most about `PORTION`.
 */
export type Slow<T> = Generator<number, T, undefined>;
/** So many characters take at most a few milliseconds. */
export const PORTION = 16_384;

const ESCAPES =
  /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/bfnrt]))|%([0-9a-f]{2})|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** The most layers of escapes that are taken out, each by one pass. */
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

/** Removes all matches. */
export function without({ text, from }: Decoded, pattern: RegExp): Slow<Decoded> {
  return replaced({ text, from }, pattern, () => '');
}

/** The bytes of a text as such a text. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

type Match = RegExpExecArray;

/** The text, changed by `change` piece by piece; it must keep the length of each. */
export function* inPieces(text: string, change: (piece: string) => string): Slow<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PORTION) {
    pieces.push(change(text.slice(at, at + PORTION)));
    yield PORTION;
  }
  return pieces.join('');
}

/** No escape is longer; where another pattern matches more, the rest is a match of its own. */
const MATCH_MAX = 16;

function* replaced({ text, from }: Decoded, pattern: RegExp, by: (match: Match) => string): Slow<Decoded> {
  const pieces: string[] = [];
  const places = createPlaces();
  let [at, length] = [0, 0];
  for (let begin = 0; begin < text.length; begin += PORTION) {
    const [first, border] = [Math.max(begin, at), begin + PORTION];
    const parts: string[] = [];
    for (const match of text.slice(first, border + MATCH_MAX).matchAll(pattern)) {
      const start = first + match.index;
      if (start >= border) break;
      const put = by(match);
      parts.push(text.slice(at, start), put);
      const newStart = length + start - at;
      length = newStart + put.length;
      at = start + match[0].length;
      places.add(start, at, newStart, length);
    }
    // Joined here: to join the parts of all portions in the end would take long at once.
    if (parts.length > 0) pieces.push(parts.join(''));
    yield PORTION;
  }
  if (at === 0) return { text, from };
  pieces.push(text.slice(at));
  return { text: pieces.join(''), from: (place, end) => placeBefore(places, from, place, end) };
}

function placeBefore(places: Places, from: From, place: number, end: boolean): number {
  // Of two replacements without text, the one before a beginning and the one behind an end are left out.
  const last = end ? places.lastBelow(NEW_START, place - 1) : places.lastBelow(NEW_END, place);
  const [old, now] = [places.get(last, END) ?? 0, places.get(last, NEW_END) ?? 0];
  if (place < now) return from(old, end);
  const inNext = places.get(last + 1, NEW_START);
  if (!end && inNext !== undefined && place > inNext) return from(places.get(last + 1, START) ?? 0, end);
  return from(old + place - now, end);
}

/** Of each replacement: where it begins and ends in the old text and in the new one. */
const [START, END, NEW_START, NEW_END] = [0, 1, 2, 3] as const;
type Column = typeof START | typeof END | typeof NEW_START | typeof NEW_END;
type Places = {
  add(...columns: [start: number, end: number, newStart: number, newEnd: number]): void;
  get(index: number, column: Column): number | undefined;
  /** The index of the last replacement whose column, which rises, is at most `limit`; -1: there is none. */
  lastBelow(column: Column, limit: number): number;
};

/** In blocks, because a list that grows is copied, which takes long where there are a million. */
const BLOCK = 4096;

function createPlaces(): Places {
  const blocks: Int32Array[] = [];
  let count = 0;
  const get = (index: number, column: Column): number | undefined =>
    index < 0 || index >= count ? undefined : blocks[Math.floor(index / BLOCK)]?.[(index % BLOCK) * 4 + column];
  return {
    add(...columns) {
      if (count % BLOCK === 0) blocks.push(new Int32Array(BLOCK * 4));
      blocks.at(-1)?.set(columns, (count % BLOCK) * 4);
      count += 1;
    },
    get,
    lastBelow: (column, limit) => lastBelow(count, (index) => get(index, column) ?? 0, limit),
  };
}

/** The index of the last of so many rising numbers that is at most `limit`; -1: there is none. */
export function lastBelow(count: number, numberAt: (index: number) => number, limit: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= limit) low = middle + 1;
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
