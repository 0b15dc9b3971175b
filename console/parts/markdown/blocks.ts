import { type Inline, parseInline, type Room } from './inline.ts';

/** Blocks of Markdown. What is no such block is a paragraph. */
export type Block =
  | { kind: 'heading'; level: number; of: Inline[] }
  | { kind: 'paragraph'; of: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
  | { kind: 'quote'; of: Block[] }
  | { kind: 'list'; start: number | null; isTight: boolean; items: Block[][] }
  | { kind: 'table'; head: Cell[]; rows: Cell[][] }
  /** Text that is shown as it was written, because the document has no room for more nodes. */
  | { kind: 'rest'; text: string };
export type Cell = { align: 'start' | 'center' | 'end'; of: Inline[] };

const NODES_MAX = 4000;
const DEPTH_MAX = 6;
const COLUMNS_MAX = 40;
const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const MARKER = /^( {0,3})([-+*]|\d{1,9}[.)])(?: {1,4}(?=\S)|[ \t]*$)/;
const QUOTE = /^ {0,3}> ?/;

/**
 * Reads the Markdown that a script shows of its run: headings, paragraphs, lists, quotes, tables, code and rules. The time grows with the
 * length alone, because a page reads it anew whenever it changes: no text is looked at again but once for each level of quotes and lists,
 * which are few.
 */
export function parseMarkdown(markdown: string): Block[] {
  const lines = markdown.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n');
  return blocksOf(lines, 0, { nodes: NODES_MAX });
}

type Reader = { lines: readonly string[]; at: number; depth: number; room: Room };

function blocksOf(lines: readonly string[], depth: number, room: Room): Block[] {
  const reader: Reader = { lines, at: 0, depth, room };
  const blocks: Block[] = [];
  while (reader.at < lines.length) {
    if (lineAt(reader).trim() === '') {
      reader.at += 1;
      continue;
    }
    if (room.nodes <= 0) {
      blocks.push({ kind: 'rest', text: lines.slice(reader.at).join('\n') });
      break;
    }
    room.nodes -= 1;
    blocks.push(fence(reader) ?? heading(reader) ?? rule(reader) ?? quote(reader) ?? list(reader) ?? table(reader) ?? paragraph(reader));
  }
  return blocks;
}

function lineAt({ lines, at }: Reader, ahead = 0): string {
  return lines[at + ahead] ?? '';
}

function fence(reader: Reader): Block | null {
  const mark = FENCE.exec(lineAt(reader))?.[1];
  if (mark === undefined) return null;
  const text: string[] = [];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = lineAt(reader);
    const end = line.trim();
    if (end.length >= mark.length && end === mark.charAt(0).repeat(end.length)) break;
    text.push(line);
  }
  reader.at += 1;
  return { kind: 'code', text: text.join('\n') };
}

function heading(reader: Reader): Block | null {
  const marks = /^ {0,3}(#{1,6})(?= |$)/.exec(lineAt(reader));
  if (!marks) return null;
  const words = withoutMarks(lineAt(reader).slice(marks[0].length).trim());
  reader.at += 1;
  return { kind: 'heading', level: marks[1]?.length ?? 1, of: parseInline(words, reader.room) };
}

/** Without the `#` that may close a heading. */
function withoutMarks(words: string): string {
  let end = words.length;
  while (words.charAt(end - 1) === '#') end -= 1;
  return end === 0 || words.charAt(end - 1) === ' ' ? words.slice(0, end).trimEnd() : words;
}

function rule(reader: Reader): Block | null {
  if (!isRule(lineAt(reader))) return null;
  reader.at += 1;
  return { kind: 'rule' };
}

function isRule(line: string): boolean {
  if (!/^ {0,3}[-*_]/.test(line)) return false;
  const marks = line.replaceAll(' ', '');
  return marks.length >= 3 && marks === marks.charAt(0).repeat(marks.length);
}

function quote(reader: Reader): Block | null {
  if (reader.depth >= DEPTH_MAX || !QUOTE.test(lineAt(reader))) return null;
  const inner: string[] = [];
  for (; reader.at < reader.lines.length && QUOTE.test(lineAt(reader)); reader.at += 1) inner.push(lineAt(reader).replace(QUOTE, ''));
  return { kind: 'quote', of: blocksOf(inner, reader.depth + 1, reader.room) };
}

/** A box at the beginning of an item is drawn as one; it cannot be ticked here. */
function ticked(line: string): string {
  return line.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ');
}

type Marker = { kind: string; start: number | null; indent: number; width: number };

function markerIn(line: string): Marker | null {
  const found = MARKER.exec(line);
  const [whole = '', indent = '', mark = ''] = found ?? [];
  if (!found || isRule(line)) return null;
  const start = /\d/.test(mark) ? Number.parseInt(mark, 10) : null;
  const isEmpty = line.length === whole.length;
  return { kind: mark.slice(-1), start, indent: indent.length, width: isEmpty ? indent.length + mark.length + 1 : whole.length };
}

function list(reader: Reader): Block | null {
  const first = reader.depth >= DEPTH_MAX ? null : markerIn(lineAt(reader));
  if (!first) return null;
  const items: string[][] = [];
  let isTight = true;
  let marker: Marker | null = first;
  while (marker && marker.kind === first.kind && reader.room.nodes > 0) {
    const { lines, isLoose } = item(reader, marker);
    items.push([ticked(lines[0] ?? ''), ...lines.slice(1)]);
    reader.room.nodes -= 1;
    marker = markerIn(lineAt(reader));
    const isNext = marker?.kind === first.kind && reader.at < reader.lines.length;
    // Blank lines at the end of the last item are behind the list.
    if (isLoose.inside || (isLoose.atEnd && isNext)) isTight = false;
  }
  return {
    kind: 'list',
    start: first.start,
    isTight,
    items: items.map((lines) => blocksOf(lines, reader.depth + 1, reader.room)),
  };
}

/** The lines of an item without its marker and indent. `isLoose`: whether there are blank lines in it, and at its end. */
function item(reader: Reader, { width }: Marker): { lines: string[]; isLoose: { inside: boolean; atEnd: boolean } } {
  const lines = [lineAt(reader).slice(width)];
  let blank = 0;
  let inside = false;
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = lineAt(reader);
    if (line.trim() === '') {
      blank += 1;
      continue;
    }
    const indent = line.search(/\S/);
    const isInner = indent >= width;
    if (!isInner && (blank > 0 || startsBlock(line))) break;
    if (blank > 0) inside = true;
    for (; blank > 0; blank -= 1) lines.push('');
    lines.push(isInner ? line.slice(width) : line.trimStart());
  }
  return { lines, isLoose: { inside, atEnd: blank > 0 } };
}

function table(reader: Reader): Block | null {
  const [head, under] = [lineAt(reader), lineAt(reader, 1)];
  if (!head.includes('|') || !under.includes('-') || !/^[\s|:-]+$/.test(under)) return null;
  const aligns = cellsIn(under).map(alignOf);
  const names = cellsIn(head);
  if (names.length !== aligns.length || aligns.length > COLUMNS_MAX) return null;
  const rowOf = (cells: readonly string[]): Cell[] => {
    reader.room.nodes -= aligns.length;
    return aligns.map((align, n) => ({ align, of: parseInline(cells[n] ?? '', reader.room) }));
  };
  const rows: Cell[][] = [];
  reader.at += 2;
  for (; reader.at < reader.lines.length && reader.room.nodes > 0; reader.at += 1) {
    const line = lineAt(reader);
    if (line.trim() === '' || (!line.includes('|') && startsBlock(line))) break;
    rows.push(rowOf(cellsIn(line)));
  }
  return { kind: 'table', head: rowOf(names), rows };
}

function alignOf(cell: string): Cell['align'] {
  if (!cell.endsWith(':')) return 'start';
  return cell.startsWith(':') ? 'center' : 'end';
}

/** The cells of a row; `\|` is a stroke of a cell. */
function cellsIn(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  const row = line.trim();
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at += 1) {
    const char = row.charAt(at);
    if (char === '\\' && row.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else if (char === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

function paragraph(reader: Reader): Block {
  const text = [lineAt(reader).trimStart()];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = lineAt(reader);
    const level = underlined(line);
    if (level !== null) {
      reader.at += 1;
      return { kind: 'heading', level, of: parseInline(text.join('\n').trim(), reader.room) };
    }
    if (line.trim() === '' || startsBlock(line)) break;
    text.push(line.trimStart());
  }
  return { kind: 'paragraph', of: parseInline(text.join('\n').trimEnd(), reader.room) };
}

/** The level of the heading that a line makes of the paragraph above it. */
function underlined(line: string): number | null {
  const marks = line.trim();
  if (marks === '' || !/^ {0,3}[=-]/.test(line) || marks !== marks.charAt(0).repeat(marks.length)) return null;
  return marks.startsWith('=') ? 1 : 2;
}

/** Whether a line ends the paragraph above it. */
function startsBlock(line: string): boolean {
  if (FENCE.test(line) || /^ {0,3}(#{1,6}(?= |$)|>)/.test(line) || isRule(line)) return true;
  return markerIn(line) !== null;
}
