/** How a source is read where it is shown: in which lines, and what of it is code. This file imports nothing, so that a browser can use it. */

/** A line with its place. A line break of its own kind, which is neither LF nor CR LF, stays at the end of its text. */
export type SourceLine = { text: string; start: number };

/** The lines as ECMAScript ends them: at LF, CR LF, CR, U+2028 and U+2029. */
export function linesOf(source: string): SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (const { 0: end, index } of source.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    const isUsual = end === '\n' || end === '\r\n';
    lines.push({ text: source.slice(start, isUsual ? index : index + 1), start });
    start = index + end.length;
  }
  lines.push({ text: source.slice(start), start });
  return lines;
}

/** Line and column of a place, both from 1. `lines` are those of its source. */
export function placeIn(lines: readonly SourceLine[], offset: number): { line: number; column: number } {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lines[low]?.start ?? 0) + 1 };
}

/**
 * The source with line feeds alone, for an editor that knows no other breaks. Within a string U+2028 and U+2029 are written as escapes,
 * because there they are text.
 */
export function withLineFeeds(source: string): string {
  const plain = source.replace(/\r\n?/g, '\n');
  if (!/[\u2028\u2029]/.test(plain)) return plain;
  const kinds = codeIn(plain);
  return plain.replace(/[\u2028\u2029]/g, (found, at: number) => {
    if (kinds[at] !== STRING) return '\n';
    return found === '\u2028' ? '\\u2028' : '\\u2029';
  });
}

export const CODE = 1;
export const STRING = 2;
const OTHER = 0;

/** A string without its closing quote: what has none is looked at once, not again from each quote in it. */
const QUOTED = { "'": /'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*/y, '"': /"(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*/y } as const;
const COMMENT = /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const REGEX = /\/(?![*/])(?:[^/\\[\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029])*\])+\//y;
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const HASHBANG = /^#![^\n\r\u2028\u2029]*/y;

/**
 * What each UTF-16 unit of a source is: code, text of a string or template, or else a comment or a regular expression. Where it cannot be
 * told whether a `/` divides, and a quote or a comment depends on it, everything from there on counts as code: nothing that runs may be
 * taken for text.
 */
export function codeIn(source: string): Uint8Array {
  const kinds = new Uint8Array(source.length).fill(CODE);
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  /** Where the last code ends that is no blank. */
  let codeEnd = 0;
  const take = (length: number, kind: number): void => {
    kinds.fill(kind, at, at + length);
    at += length;
    if (kind === STRING) codeEnd = at;
  };
  const lengthOf = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0].length ?? 0;
  };
  const template = (): void => {
    at += 1;
    take(lengthOf(TEMPLATE), STRING);
    if (!source.startsWith('${', at - 2)) return;
    kinds.fill(CODE, at - 2, at);
    templates.push(depth);
    depth += 1;
  };
  take(lengthOf(HASHBANG), OTHER);
  while (at < source.length) {
    const character = source[at] ?? '';
    if (character === "'" || character === '"') {
      const length = lengthOf(QUOTED[character]);
      // Without its closing quote it is no text.
      const isClosed = source[at + length] === character;
      take(isClosed ? length + 1 : length, isClosed ? STRING : CODE);
    } else if (character === '`') template();
    else if (character === '}' && templates.at(-1) === depth - 1) {
      templates.pop();
      depth -= 1;
      template();
    } else if (character === '/') {
      const comment = lengthOf(COMMENT);
      const regex = comment > 0 ? 0 : regexAt(source, at, codeEnd);
      if (regex === 'unknown') return kinds;
      take(comment + regex || 1, comment + regex > 0 ? OTHER : CODE);
      if (comment === 0) codeEnd = at;
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      at += 1;
      if (!/\s/.test(character)) codeEnd = at;
    }
  }
  return kinds;
}

const KEYWORD = /(?:^|[^\p{ID_Continue}$.])(?:return|typeof|case|in|delete|void|throw|new|instanceof|do|else)$/u;
const OPERATOR = /(?:^|[=(,:;!&|?[{]|=>)$/;
const OPERAND = /(?:[\p{ID_Continue}$\]]|['"`])$/u;
const PERHAPS_KEYWORD = /(?:^|[^\p{ID_Continue}$.])(?:of|yield|await)$/u;
const LONGEST_KEYWORD = 10;
/** A regular expression that is longer is not looked for, because a hostile source has a hundred thousand beginnings of one. */
const REGEX_MAX = 2000;

/** How long the regular expression is that begins with this `/`; 0: it divides. `end`: where the code before it ends. */
function regexAt(source: string, at: number, end: number): number | 'unknown' {
  const before = source.slice(Math.max(0, end - LONGEST_KEYWORD - 2), end);
  const isRegex = KEYWORD.test(before) || OPERATOR.test(before);
  if (!isRegex && OPERAND.test(before) && !PERHAPS_KEYWORD.test(before)) return 0;
  REGEX.lastIndex = 0;
  const text = REGEX.exec(source.slice(at, at + REGEX_MAX))?.[0];
  if (isRegex) return text?.length ?? 'unknown';
  // It divides, unless more than its own text depends on it.
  const perhaps = text ?? source.slice(at + 1, at + REGEX_MAX).split(/[\n\r\u2028\u2029]/, 1)[0] ?? '';
  return /['"`{}]|\/[*/]/.test(perhaps.slice(1)) ? 'unknown' : 0;
}
