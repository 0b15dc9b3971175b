import { codePoint, wordFaults } from './lookalike-words.ts';
import { CODE, codeIn, linesOf, placeIn, type SourceLine, STRING } from './source-text.ts';

/**
 * A place in a source that does not show what it is: something that cannot be seen, changes the order of what is read, pushes what
 * follows out of sight, stands far out in its line, or looks like another letter.
 */
export type SourceMark = {
  start: number;
  end: number;
  /** Stands in the place of what cannot be seen; null: the text itself is shown. */
  shown: string | null;
  message: string;
};

/** So many marks are kept apart; where there are more, those of a line become one. */
const APART_MAX = 5000;

/** All such places, in their order. Ordinary text of any language has none. */
export function marksIn(source: string): SourceMark[] {
  return ordered(source, marksOfSource(source));
}

function marksOfSource(source: string): Iterable<SourceMark>[] {
  return [...kindsOfMarks(source, codeIn(source)), longLines(source)];
}

/** The marks of a text that is no code, such as a name. */
export function marksInText(text: string): SourceMark[] {
  return ordered(text, kindsOfMarks(text, new Uint8Array(text.length).fill(STRING)));
}

function kindsOfMarks(source: string, kinds: Uint8Array): Iterable<SourceMark>[] {
  // Most sources are plain ASCII, in which only these can be hidden.
  const always = [lineBreaks(source), blanks(source)];
  return isPlain(source) ? always : [...always, unseen(source, kinds), stacks(source), words(source, kinds)];
}

const isPlain = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text);

function ordered(source: string, kinds: readonly Iterable<SourceMark>[]): SourceMark[] {
  const marks = apart(kinds.flatMap((kind) => [...kind]));
  return marks.length > APART_MAX ? oneInEachLine(source, marks) : marks;
}

/** The marks in their order, without what stands within another one. */
function apart(marks: SourceMark[]): SourceMark[] {
  let end = 0;
  return marks
    .sort((a, b) => a.start - b.start)
    .filter((mark) => {
      const isApart = mark.start >= end;
      if (isApart) end = mark.end;
      return isApart;
    });
}

/** So many marks of a source are told one by one. */
const TOLD_MAX = 50;
/** Tells a mark from a fault, with which a run fails. */
const TOLD_AS = 'not as it looks: ';

/** The marks as the warnings of a source. */
export function markWarnings(source: string): { line: number; column: number; message: string }[] {
  // Each kind of them comes in its order, so no more than these need to be found.
  const marks = apart(marksOfSource(source).flatMap((kind) => [...Iterator.from(kind).take(TOLD_MAX + 1)]));
  if (marks.length === 0) return [];
  const lines = linesOf(source);
  const told = marks.slice(0, TOLD_MAX).map(({ start, message }) => ({ ...placeIn(lines, start), message: `${TOLD_AS}${message}` }));
  const next = marks[TOLD_MAX];
  if (!next) return told;
  return [...told, { ...placeIn(lines, next.start), message: `${TOLD_AS}there are more places like these from here on` }];
}

/** Whether a warning is about a mark; any other one is about a fault. */
export function isMarkWarning({ message }: { message: string }): boolean {
  return message.startsWith(TOLD_AS);
}

/** `at`: where it begins in its line. */
export type LinePart = { at: number; text: string; mark: SourceMark | null };

/** A line in parts: what is shown as it is, and marks. `marks` are those of its source, or of this line. */
export function partsOfLine({ text, start }: SourceLine, marks: readonly SourceMark[]): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const mark of marks) {
    const [from, to] = [mark.start - start, mark.end - start];
    if (from < at || to > text.length) continue;
    if (from > at) parts.push({ at, text: text.slice(at, from), mark: null });
    parts.push({ at: from, text: mark.shown ?? text.slice(from, to), mark });
    at = to;
  }
  return at < text.length || parts.length === 0 ? [...parts, { at, text: text.slice(at), mark: null }] : parts;
}

/** The marks of each line, by its index; lines without one are missing. */
export function marksByLine(lines: readonly SourceLine[], marks: readonly SourceMark[]): Map<number, SourceMark[]> {
  const found = new Map<number, SourceMark[]>();
  let index = 0;
  for (const mark of marks) {
    while ((lines[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= mark.start) index += 1;
    const own = found.get(index);
    if (own) own.push(mark);
    else found.set(index, [mark]);
  }
  return found;
}

/** The lines of a source as a terminal shows them, with its marks in brackets. */
export function shownLines(source: string): string[] {
  const lines = linesOf(source);
  const marks = marksByLine(lines, marksIn(source));
  return lines.map((line, index) =>
    partsOfLine(line, marks.get(index) ?? [])
      .map(({ text, mark }) => (mark === null ? text : `‹${mark.shown ?? escaped(text)}›`))
      .join(''),
  );
}

/** The marks of a line as one, in which what cannot be seen and foreign letters are written as their code points. */
function oneInEachLine(source: string, marks: readonly SourceMark[]): SourceMark[] {
  const lines = linesOf(source);
  return [...marksByLine(lines, marks).values()].flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last || own.length === 1) return own;
    const text = source.slice(first.start, last.end);
    return [{ start: first.start, end: last.end, shown: escaped(text), message: `${own.length} places of this line are not as they look` }];
  });
}

function escaped(text: string): string {
  return Array.from(text, (one) => (/[\x20-\x7e]/.test(one) ? one : codePoint(one))).join('');
}

function* lineBreaks(source: string): Iterable<SourceMark> {
  for (const { 0: found, index } of source.matchAll(/\r(?!\n)|[\u2028\u2029]/g)) {
    const shown = codePoint(found);
    yield { start: index, end: index + 1, shown, message: `${shown} ends the line: what follows it is a line of its own` };
  }
}

const EMPTY_MIN = 30;

/** 80 blanks in a row, or 30 lines without text, put what follows them out of sight. */
function* blanks(source: string): Iterable<SourceMark> {
  for (const { 0: found, index } of source.matchAll(/[\t\v\f\p{Zs}]{80,}/gu)) {
    const end = index + found.length;
    if (end === source.length || /[\n\r\u2028\u2029]/.test(source[end] ?? '')) continue;
    yield { start: index, end, shown: `${found.length} blanks`, message: `${found.length} blanks stand before what follows in this line` };
  }
  for (const { 0: found, index } of source.matchAll(/\s{31,}/g)) {
    const end = index + found.length;
    const count = (found.match(/\r\n|[\n\r\u2028\u2029]/g)?.length ?? 0) - 1;
    if (count < EMPTY_MIN || end === source.length) continue;
    const what = `${count} lines without text`;
    yield { start: end, end, shown: `${what} above`, message: `${what} stand above this one` };
  }
}

/** So long a line is read as a whole; what stands behind may be missed. */
const LINE_MAX = 200;
const LONG_LINES = new RegExp(`[^\\n\\r\\u2028\\u2029]{${LINE_MAX + 1},}`, 'g');

function* longLines(source: string): Iterable<SourceMark> {
  for (const { 0: line, index } of source.matchAll(LONG_LINES)) {
    const { length } = line.trimEnd();
    if (length <= LINE_MAX) continue;
    const start = index + LINE_MAX;
    const end = start + String.fromCodePoint(source.codePointAt(start) ?? 0).length;
    yield { start, end, shown: null, message: `from here on the line goes beyond ${LINE_MAX} characters: it has ${length}` };
  }
}

/** What has no look of its own. The last ones are not among Unicode's ignorables, but show as little. */
const UNSEEN =
  /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Co}\p{Cs}\u2800\ufffc\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu;
const DIRECTION = /\p{Bidi_Control}/u;
/** Emoji are joined and coloured by what cannot be seen itself, and so are the flags of regions; U+FE0E shows one as text. */
const EMOJI = /\p{RGI_Emoji}|\p{Emoji}\ufe0e/gv;
/** Letters of these scripts are joined or kept apart by U+200C and U+200D in ordinary words. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Khmer}]$/u;

function* unseen(source: string, kinds: Uint8Array): Iterable<SourceMark> {
  const emoji = new Uint8Array(source.length);
  for (const { 0: found, index } of source.matchAll(EMOJI)) emoji.fill(1, index, index + found.length);
  let [start, end] = [0, 0];
  for (const { 0: found, index } of source.matchAll(UNSEEN)) {
    if (kinds[index] !== CODE && (emoji[index] === 1 || isJoiner(source, index, found) || /\p{Zs}/u.test(found))) continue;
    // Editors put it before a text; there it is no part of the source.
    if (index === 0 && found === '\ufeff') continue;
    if (index > end) {
      if (end > start) yield unseenMark(start, source.slice(start, end));
      start = index;
    }
    end = index + found.length;
  }
  if (end > start) yield unseenMark(start, source.slice(start, end));
}

const NAMED_MAX = 8;

function unseenMark(start: number, text: string): SourceMark {
  const all = Array.from(text);
  const named = all.slice(0, NAMED_MAX).map(codePoint).join(' ');
  const shown = all.length > NAMED_MAX ? `${named} … (${all.length} characters)` : named;
  const what = DIRECTION.test(text)
    ? `${all.length === 1 ? 'changes' : 'change'} the order in which the line is shown`
    : /^\p{Zs}+$/u.test(text)
      ? 'looks like an ordinary blank'
      : 'cannot be seen';
  return { start, end: start + text.length, shown, message: `${shown} ${what}` };
}

function isJoiner(source: string, at: number, found: string): boolean {
  if (found !== '\u200c' && found !== '\u200d') return false;
  return JOINED.test(source.slice(at - 1, at)) && JOINED.test(source.slice(at + 1, at + 2));
}

/** Marks that are piled on a letter cover the lines around it. */
function* stacks(source: string): Iterable<SourceMark> {
  for (const { 0: found, index } of source.matchAll(/(?:(?!\p{Default_Ignorable_Code_Point})\p{M}){6,}/gu)) {
    const count = Array.from(found).length;
    yield { start: index, end: index + found.length, shown: `${count} marks`, message: `${count} marks are piled on one letter` };
  }
}

const PILED = /\p{M}{6,}/u;

function* words(source: string, kinds: Uint8Array): Iterable<SourceMark> {
  for (const { word, start, message } of wordFaults(source, (at) => kinds[at] === CODE)) {
    if (!PILED.test(word)) yield { start, end: start + word.length, shown: null, message };
  }
}
