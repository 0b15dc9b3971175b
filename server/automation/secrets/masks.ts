import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOf, type Decoded, decoded, inPieces, lastBelow, PORTION, type Slow, without } from './decoded.ts';
import { partsOf } from './parts.ts';
import { type Form, type Seeker, type Span, seekerOf } from './seeking.ts';

export type NamedValue = { name: string; value: string };
/**
 * Finds secrets in texts and bytes of somebody else: as they are, in hex, and in whatever JSON, URLs, HTML and base64 make of them. Parts of
 * a secret are found, too, where `partsOf` knows them.
 */
export type Masks = {
  /** Puts `[secret:name]` in place of each secret. */
  mask(text: string): string;
  /** The same for bytes, which may be many: it lets others have their turn meanwhile. */
  maskBytes(bytes: Buffer): Promise<Buffer>;
  /** The names of the secrets in the text. */
  foundIn(text: string): string[];
};

const NOTHING: Masks = { mask: (text) => text, maskBytes: async (bytes) => bytes, foundIn: () => [] };

/** `drive` carries out the work on many bytes. */
export function maskOf(secrets: readonly NamedValue[], drive: <T>(work: Slow<T>) => Promise<T> = inTurns): Masks {
  if (secrets.length === 0) return NOTHING;
  let known: Sought | undefined;
  function* find(text: string): Slow<Span[]> {
    known ??= yield* soughtOf(secrets);
    return yield* spansIn(text, known, DEPTH);
  }
  function* maskLatin(text: string): Slow<string> {
    return yield* withNames(text, yield* find(text));
  }
  return {
    mask: (text) => Buffer.from(atOnce(maskLatin(bytesOf(text))), 'latin1').toString('utf8'),
    maskBytes: async (bytes) => Buffer.from(await drive(maskLatin(bytes.toString('latin1'))), 'latin1'),
    foundIn: (text) => [...new Set(atOnce(find(bytesOf(text))).map(({ name }) => name))],
  };
}

/** `leastBytes`: of the shortest text that is sought. */
type Sought = { seek: Seeker; leastBytes: number };

const AROUND = { letters: /[A-Za-z0-9_-]/, base64: /[A-Za-z0-9+/_-]/ };

function* soughtOf(secrets: readonly NamedValue[]): Slow<Sought> {
  const forms: Form[] = [];
  let leastBytes = Number.POSITIVE_INFINITY;
  for (const { name, value } of secrets) {
    const parts = partsOf(value).map(({ text, isBase64 }) => ({ text, around: isBase64 ? AROUND.base64 : AROUND.letters }));
    for (const { text, around } of [{ text: value, around: null }, ...parts]) {
      const bytes = Buffer.from(text);
      leastBytes = Math.min(leastBytes, bytes.length);
      const ways = [folded(bytesOf(text)), yield* comparedForm(bytesOf(text)), bytes.toString('hex')];
      for (const way of new Set(ways)) if (way !== '') forms.push({ text: way, name, around });
    }
    yield PORTION;
  }
  return { seek: seekerOf(forms), leastBytes };
}

/** A value as it stands in the path of an address: it may be several parts of it. */
export function pathFormOf(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** How often base64 is looked for in what was decoded from base64. */
const DEPTH = 2;

function* spansIn(text: string, sought: Sought, depth: number): Slow<Span[]> {
  const plain = yield* decoded(text);
  const spans = [yield* sought.seek(folded(text), text)];
  const { likened, whole } = yield* compared(plain);
  spans.push(yield* back(likened, yield* sought.seek(likened.text, whole)));
  if (depth > 0) spans.push(yield* back(plain, yield* spansInBase64(plain.text, sought, depth)));
  return spans.flat();
}

/** One run of base64, also in lines; what precedes it without a gap may shift its groups of four. */
const BASE64 = /[A-Za-z0-9+/_-]{1,16384}/g;
const MORE_BASE64 = /(?:\r?\n)?[A-Za-z0-9+/_-]{1,16384}/y;
const SHIFTS = [0, 1, 2, 3];
const BASE64_MIN = 4;

function* spansInBase64(text: string, sought: Sought, depth: number): Slow<Span[]> {
  const least = Math.max(BASE64_MIN, Math.floor((4 * sought.leastBytes) / 3));
  const runs: Decoded[] = [];
  let border = PORTION;
  for (const { run, index } of base64In(text)) {
    if (run.length >= least) runs.push(yield* without({ text: run, from: (place) => index + place }, /\s+/g));
    if (index < border) continue;
    yield PORTION;
    border = index + PORTION;
  }
  const spans: Span[][] = [];
  for (const shift of SHIFTS) {
    const joined = yield* bytesIn(runs, shift);
    spans.push(yield* back(joined, yield* spansIn(joined.text, sought, depth - 1)));
    yield PORTION;
  }
  return spans.flat();
}

/** The runs in pieces that are put together: an expression that takes megabytes at once can use up its stack. */
function* base64In(text: string): Iterable<{ run: string; index: number }> {
  const [begins, goesOn] = [new RegExp(BASE64), new RegExp(MORE_BASE64)];
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    let end = begins.lastIndex;
    goesOn.lastIndex = end;
    while (goesOn.test(text)) end = goesOn.lastIndex;
    yield { run: text.slice(found.index, end), index: found.index };
    begins.lastIndex = end;
  }
}

/** The bytes of all these runs of base64 in one text, with what no secret has between them. */
function* bytesIn(runs: readonly Decoded[], shift: number): Slow<Decoded> {
  const pieces: string[] = [];
  const starts: number[] = [];
  let length = 0;
  let work = 0;
  for (const { text } of runs) {
    const bytes = Buffer.from(text.slice(shift), 'base64').toString('latin1');
    starts.push(length);
    pieces.push(bytes, BETWEEN);
    length += bytes.length + BETWEEN.length;
    work += text.length;
    if (work < PORTION) continue;
    yield PORTION;
    work = 0;
  }
  return {
    text: pieces.join(''),
    from(place, end) {
      const index = lastBelow(starts.length, (n) => starts[n] ?? 0, end ? place - 1 : place);
      const [run, at] = [runs[index], place - (starts[index] ?? 0)];
      if (!run) return 0;
      const inRun = shift + (end ? Math.ceil((at * 4) / 3) : Math.floor((at * 4) / 3));
      return run.from(Math.min(run.text.length, inRun), end);
    },
  };
}

const BETWEEN = '\0';

function* back({ from }: Decoded, spans: readonly Span[]): Slow<Span[]> {
  const there: Span[] = [];
  const placed = ({ start, end }: { start: number; end: number }) => ({ start: from(start, false), end: from(end, true) });
  for (const { name, core, ...span } of spans) {
    there.push({ ...placed(span), name, core: core && placed(core) });
    if (there.length % SPANS_AT_ONCE === 0) yield PORTION;
  }
  return there;
}

/** So many spans take a few milliseconds. */
const SPANS_AT_ONCE = 2048;

/** Without what encoders differ in: case, blanks in forms, line ends, and a backslash that belongs to no escape. `whole`: before case and blanks. */
function* compared(text: Decoded): Slow<{ likened: Decoded; whole: string }> {
  const { text: whole, from } = yield* without(text, /[\\\r]/g);
  return { likened: { text: yield* inPieces(whole, (piece) => folded(piece).replaceAll('+', ' ')), from }, whole };
}

function* comparedForm(text: string): Slow<string> {
  return (yield* compared(yield* decoded(text))).likened.text;
}

function atOnce<T>(work: Slow<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** After so long the work yields to the event loop. */
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

/** The text with the names in place of the spans; of those that overlap, the first one names all. */
function* withNames(text: string, spans: readonly Span[]): Slow<string> {
  const wholes = spans.filter(({ core }) => core === null);
  const parts = yield* partsApart(text, yield* apart(text, wholes), spans);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, name } of yield* apart(text, [...wholes, ...parts])) {
    pieces.push(`${text.slice(at, start)}[secret:${name}]`);
    at = end;
    if (pieces.length % SPANS_AT_ONCE === 0) yield PORTION;
  }
  return pieces.join('') + text.slice(at);
}

/** The parts of secrets that are in no whole one. */
function* partsApart(text: string, wholes: readonly Span[], spans: readonly Span[]): Slow<Span[]> {
  const parts: Span[] = [];
  const cores = spans.flatMap((span) => (span.core === null ? [] : [{ ...span.core, name: span.name, core: null, span }]));
  let next = 0;
  for (const [n, { start, end, span }] of (yield* inOrder(text, cores)).entries()) {
    for (let whole = wholes[next]; whole && whole.end <= start; whole = wholes[next]) next += 1;
    if ((wholes[next]?.start ?? text.length) >= end) parts.push(span);
    if (n % SPANS_AT_ONCE === 0) yield PORTION;
  }
  return parts;
}

/** The spans in their order; those that overlap are one, with the name of the first. */
function* apart(text: string, spans: readonly Span[]): Slow<Span[]> {
  const found: Span[] = [];
  for (const span of yield* inOrder(text, spans)) {
    const last = found.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else found.push({ ...span });
    if (found.length % SPANS_AT_ONCE === 0) yield PORTION;
  }
  return found;
}

/** Sorted, in portions of the text. */
function* inOrder<One extends Span>(text: string, spans: readonly One[]): Slow<One[]> {
  const buckets = Array.from({ length: Math.ceil(text.length / SPANS_AT_ONCE) }, (): One[] => []);
  for (const [n, span] of spans.entries()) {
    buckets[Math.floor(span.start / SPANS_AT_ONCE)]?.push(span);
    if (n % PORTION === 0) yield PORTION;
  }
  for (const bucket of buckets) {
    bucket.sort((a, b) => a.start - b.start || b.end - a.end);
    if (bucket.length > 0) yield Math.min(bucket.length, PORTION);
  }
  return buckets.flat();
}
