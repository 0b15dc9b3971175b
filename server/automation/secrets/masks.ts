import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOf, type Decoded, decoded, type Slow, without } from './decoded.ts';

export type NamedValue = { name: string; value: string };
/** Finds secrets in texts and bytes of somebody else: as they are, in hex, and in whatever JSON, URLs, HTML and base64 make of them. */
export type Masks = {
  /** Puts `[secret:name]` in place of each secret. */
  mask(text: string): string;
  /** The same for bytes, which may be many: it lets others have their turn meanwhile. */
  maskBytes(bytes: Buffer): Promise<Buffer>;
  /** The names of the secrets in the text. */
  foundIn(text: string): string[];
};

type Sought = NamedValue & { forms: string[]; bytes: number };
type Span = { start: number; end: number; name: string };

const NOTHING: Masks = { mask: (text) => text, maskBytes: async (bytes) => bytes, foundIn: () => [] };

export function maskOf(secrets: readonly NamedValue[]): Masks {
  if (secrets.length === 0) return NOTHING;
  const sought = secrets.map(({ name, value }): Sought => {
    const bytes = Buffer.from(value);
    const forms = [folded(bytesOf(value)), atOnce(comparedForm(bytesOf(value))).text, bytes.toString('hex')];
    return { name, value, forms: [...new Set(forms)].filter((form) => form !== ''), bytes: bytes.length };
  });
  function* maskLatin(text: string): Slow<string> {
    return withNames(text, (yield* spansIn(text, sought, DEPTH)).concat(cutsIn(text, sought)));
  }
  return {
    mask: (text) => Buffer.from(atOnce(maskLatin(bytesOf(text))), 'latin1').toString('utf8'),
    maskBytes: async (bytes) => Buffer.from(await inTurns(maskLatin(bytes.toString('latin1'))), 'latin1'),
    foundIn: (text) => [...new Set(atOnce(spansIn(bytesOf(text), sought, DEPTH)).map(({ name }) => name))],
  };
}

/** A value as it stands in the path of an address: it may be several parts of it. */
export function pathFormOf(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** How often base64 is looked for in what was decoded from base64. */
const DEPTH = 2;

function* spansIn(text: string, sought: readonly Sought[], depth: number): Slow<Span[]> {
  const plain = yield* decoded(text);
  const spans = occurrences(folded(text), sought);
  yield;
  const likened = yield* compared(plain);
  for (const span of back(likened, occurrences(likened.text, sought))) spans.push(span);
  yield;
  if (depth > 0) for (const span of back(plain, yield* spansInBase64(plain.text, sought, depth))) spans.push(span);
  return spans;
}

function occurrences(text: string, sought: readonly Sought[]): Span[] {
  return sought.flatMap(({ name, forms }) =>
    forms.flatMap((form) => {
      const spans: Span[] = [];
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
        spans.push({ start: at, end: at + form.length, name });
      return spans;
    }),
  );
}

/** One run of base64, also in lines; what precedes it without a gap may shift its groups of four. */
const BASE64 = /[A-Za-z0-9+/_-]+(?:\r?\n[A-Za-z0-9+/_-]+)*/g;
const SHIFTS = [0, 1, 2, 3];
const BASE64_MIN = 4;

function* spansInBase64(text: string, sought: readonly Sought[], depth: number): Slow<Span[]> {
  const least = Math.max(BASE64_MIN, Math.floor((4 * Math.min(...sought.map(({ bytes }) => bytes))) / 3));
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(BASE64)) {
    if (run.length < least) continue;
    const lines = yield* without({ text: run, from: (place) => index + place }, /\s+/g);
    for (const shift of SHIFTS) {
      const bytes = Buffer.from(lines.text.slice(shift), 'base64').toString('latin1');
      yield;
      const found = (yield* spansIn(bytes, sought, depth - 1)).map(({ start, end, name }) => ({
        start: shift + Math.floor((start * 4) / 3),
        end: Math.min(lines.text.length, shift + Math.ceil((end * 4) / 3)),
        name,
      }));
      for (const span of back(lines, found)) spans.push(span);
    }
  }
  return spans;
}

function back({ from }: Decoded, spans: readonly Span[]): Span[] {
  return spans.map(({ start, end, name }) => ({ start: from(start, false), end: from(end, true), name }));
}

/** Without what encoders differ in: case, blanks in forms, line ends, and a backslash that belongs to no escape. */
function* compared(text: Decoded): Slow<Decoded> {
  const { text: rest, from } = yield* without(text, /[\\\r]/g);
  return { text: folded(rest).replaceAll('+', ' '), from };
}

function* comparedForm(text: string): Slow<Decoded> {
  return yield* compared(yield* decoded(text));
}

function atOnce<T>(work: Slow<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** How long the work goes on before others have their turn. */
const TURN_MS = 10;

async function inTurns<T>(work: Slow<T>): Promise<T> {
  for (let until = performance.now() + TURN_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN_MS;
  }
}

function folded(text: string): string {
  return text.toLowerCase();
}

/** Where a text was cut off, so much of a secret at its start or end is known to be one. */
const CUT_MIN = 8;

/** The beginning of a secret at the end of the text, and the end of one at its start. */
function cutsIn(text: string, sought: readonly Sought[]): Span[] {
  const spans: Span[] = [];
  for (const { name, forms } of sought) {
    for (const form of forms) {
      const most = Math.min(form.length - 1, text.length);
      const [head, tail] = [folded(text.slice(0, most)), folded(text.slice(text.length - most))];
      for (let length = most; length >= CUT_MIN; length--) {
        if (tail.endsWith(form.slice(0, length))) spans.push({ start: text.length - length, end: text.length, name });
        if (head.startsWith(form.slice(-length))) spans.push({ start: 0, end: length, name });
      }
    }
  }
  return spans;
}

/** The text with the names in place of the spans; of those that overlap, the first one names all. */
function withNames(text: string, spans: readonly Span[]): string {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else apart.push({ ...span });
  }
  const parts = apart.map(({ start, name }, n) => `${text.slice(apart[n - 1]?.end ?? 0, start)}[secret:${name}]`);
  return parts.join('') + text.slice(apart.at(-1)?.end ?? 0);
}
