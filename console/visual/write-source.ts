import type { Mark, Node } from 'prosemirror-model';
import { writeText } from './entities.ts';
import { liquidEnd, readTag } from './markup.ts';
import type { Originals } from './read-source.ts';
import { numberAttr, type Section, schema, sectionOf, textAttr } from './schema.ts';

const { nodes: n, marks: m } = schema;

/** The source of a text. What is as it was read is written as it stood there; the rest in the plainest way. */
export function writeSource(doc: Node, originals: Originals): string {
  const { before, after, tail } = {
    before: textAttr(doc.attrs, 'before'),
    after: textAttr(doc.attrs, 'after'),
    tail: textAttr(doc.attrs, 'tail'),
  };
  return `${before ?? ''}${writer(originals).blocks(doc, before === '' ? '' : '\n')}${tail ?? ''}${after ?? ''}`;
}

function writer(originals: Originals) {
  const opened = new Set<number>();

  /** The blocks in a node; `fresh`: the space before one of which nobody knows it. */
  function blocks(parent: Node, fresh: string): string {
    let written = '';
    let space: string | null = null;
    parent.forEach((node, _, index) => {
      const own = textAttr(node.attrs, 'lead');
      const lead = own ?? (index === 0 ? (isBare(node, parent) ? '' : fresh) : (space ?? (/\n/.test(fresh) ? fresh : '\n')));
      space = own?.includes('\n') ? `\n${own.slice(own.lastIndexOf('\n') + 1)}` : space;
      const next = index + 1 < parent.childCount ? parent.child(index + 1) : null;
      const before = index > 0 ? parent.child(index - 1) : null;
      // Two lines without tags would be one.
      const isAlone = ![before, next].some((other) => other !== null && (isBare(other, parent) || isNew(other)));
      written += lead + (known(node) ?? block(node, isBare(node, parent) && isAlone, indentOf(lead)));
    });
    return written;
  }

  /** As it stood where it was read, if it still is so. */
  function known(node: Node): string | null {
    const key = numberAttr(node.attrs, 'key');
    const original = key === null ? undefined : originals.get(key);
    if (!original?.node.eq(node)) return null;
    if (key !== null) opened.add(key);
    return original.source;
  }

  function block(node: Node, isWithoutTag: boolean, indent: string): string {
    const { type } = node;
    if (type === n.chip_block) return textAttr(node.attrs, 'source') ?? '';
    if (type === n.rule) return openOf(node, 'hr');
    if (type === n.paragraph) return isWithoutTag ? inline(node) : enclosed(node, 'p', inline(node));
    if (type === n.heading) return enclosed(node, `h${numberAttr(node.attrs, 'level')}`, inline(node));
    if (type === n.code_block) return enclosed(node, 'pre', writeText(node.textContent.replace(/^\n/, '\n\n')));
    if (type === n.table) return enclosed(node, 'table', rows(node, indent) + tailOf(node, indent));
    const tag = TAGS.get(type.name) ?? 'div';
    const isLine = node.childCount === 1 && node.firstChild !== null && isBare(node.firstChild, node);
    const inner = blocks(node, isLine ? '' : `\n${indent}  `);
    return enclosed(node, tag, inner + (isLine ? (textAttr(node.attrs, 'tail') ?? '') : tailOf(node, indent)));
  }

  const tailOf = ({ attrs }: Node, indent: string): string => textAttr(attrs, 'tail') ?? `\n${indent}`;

  function enclosed(node: Node, tag: string, inner: string): string {
    const open = openOf(node, tag);
    return `${open}${inner}</${nameIn(open)}>`;
  }

  /** The first tag. Where a block was divided, its second part has not the same id. */
  function openOf({ attrs, type }: Node, tag: string): string {
    const open = textAttr(attrs, 'open');
    const spans = type === n.table_cell || type === n.table_header;
    if (open === null) return spans ? withSpans(`<${tag}>`, attrs['colspan'], attrs['rowspan']) : `<${tag}>`;
    const key = numberAttr(attrs, 'key');
    const isAgain = key !== null && opened.has(key);
    if (key !== null) opened.add(key);
    const own = isAgain ? withAttribute(open, 'id', null) : open;
    return spans ? withSpans(own, attrs['colspan'], attrs['rowspan']) : own;
  }

  function rows(table: Node, indent: string): string {
    let written = '';
    let section = sectionOf(table.child(0));
    const open = (one: Section | null): string => (one ? one.lead + one.open : '');
    const close = (one: Section | null): string => (one ? `${one.tail}</${nameIn(one.open)}>` : '');
    written += open(section);
    for (const row of table.children) {
      // A row that was added is of the part of the table in which it stands.
      const own = sectionOf(row) ?? (numberAttr(row.attrs, 'key') === null ? section : null);
      if (own?.key !== section?.key) written += close(section) + open(own);
      section = own;
      const lead = textAttr(row.attrs, 'lead') ?? `\n${indent}  `;
      const cells = (): string => blocks(row, `\n${indentOf(lead)}  `) + tailOf(row, indentOf(lead));
      written += lead + (known(row) ?? enclosed(row, 'tr', cells()));
    }
    return written + close(section);
  }

  return { blocks };
}

/** A paragraph that the editor made. */
const isNew = ({ type, attrs }: Node): boolean => type === n.paragraph && attrs['key'] === null;

/** Whether a paragraph has no tag of its own, as the line of a new item or cell. */
function isBare(node: Node, parent: Node): boolean {
  if (node.type !== n.paragraph) return false;
  if (node.attrs['isBare'] === true) return true;
  const isLine = parent.type === n.list_item || parent.type === n.table_cell || parent.type === n.table_header;
  const open = textAttr(node.attrs, 'open');
  return isLine && parent.attrs['key'] === null && (open === null || open === '<p>');
}

const TAGS = new Map([
  ['blockquote', 'blockquote'],
  ['bullet_list', 'ul'],
  ['ordered_list', 'ol'],
  ['list_item', 'li'],
  ['table_cell', 'td'],
  ['table_header', 'th'],
]);

const indentOf = (lead: string): string => (lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : '');
const nameIn = (open: string): string => /^<([^\s/>]+)/.exec(open)?.[1] ?? '';

function withSpans(open: string, colspan: unknown, rowspan: unknown): string {
  const set = (tag: string, name: string, value: unknown): string => {
    const now = readTag(tag, 0).attributes.find((one) => one.name === name)?.value;
    if (Number(now ?? 1) === Number(value)) return tag;
    return withAttribute(tag, name, Number(value) === 1 ? null : String(value));
  };
  return set(set(open, 'colspan', colspan), 'rowspan', rowspan);
}

/** A tag with another value of an attribute; null: without it. */
export function withAttribute(open: string, name: string, value: string | null): string {
  const { attributes } = readTag(open, 0);
  const old = attributes.find((one) => one.name === name);
  const text = value === null ? '' : `${name}="${writeAttribute(value)}"`;
  if (old) return open.slice(0, old.from).replace(text === '' ? /\s+$/ : /$^/, '') + text + open.slice(old.to);
  return text === '' ? open : open.replace(/\s*\/?>$/, (end) => ` ${text}${end.trimStart()}`);
}

/** Liquid in the value stays Liquid. */
export function writeAttribute(value: string): string {
  let written = '';
  for (let at = 0; at < value.length; ) {
    const end = liquidIn(value, at);
    if (end !== null) written += value.slice(at, end);
    else written += ATTRIBUTE.get(value[at] ?? '') ?? value[at];
    at = end ?? at + 1;
  }
  return written;
}

const ATTRIBUTE = new Map([
  ['&', '&amp;'],
  ['"', '&quot;'],
  ['<', '&lt;'],
  ['{', '&#123;'],
]);

function liquidIn(value: string, at: number): number | null {
  try {
    return liquidEnd(value, at);
  } catch {
    return null;
  }
}

type Run = { mark: Mark; end: number };

/** The content of a line: marks are closed and opened so that elements that were there before are divided last. */
function inline(parent: Node): string {
  let open: Mark[] = [];
  let written = '';
  const close = (marks: readonly Mark[]): string =>
    marks
      .toReversed()
      .map((mark) => `</${nameIn(openingOf(mark))}>`)
      .join('');
  parent.forEach((node, _, index) => {
    const wanted = order(
      node.marks.map((mark) => ({ mark, end: endOf(parent, index, mark) })),
      open,
    );
    let same = 0;
    while (isSame(open[same], wanted[same])) same += 1;
    written += close(open.slice(same)) + wanted.slice(same).map(openingOf).join('');
    written += leaf(node, OPEN_REFERENCE.test(written));
    open = wanted;
  });
  return written + close(open);
}

const isSame = (a: Mark | undefined, b: Mark | undefined): boolean => a !== undefined && b !== undefined && a.eq(b);

const isKept = ({ type }: Mark): boolean => type === m.element || type === m.link;

/** Elements that were read come in the order in which they were, then the marks of the editor. */
const placeOf = ({ attrs }: Mark): number => numberAttr(attrs, 'key') ?? Number.POSITIVE_INFINITY;

/** The marks of a node from the outermost on. Those that are open stay where they are; a new one that lasts longer goes outside of them. */
function order(runs: readonly Run[], open: readonly Mark[]): Mark[] {
  const stack = open.flatMap((mark) => runs.filter((run) => run.mark.eq(mark)));
  const fresh = runs.filter(({ mark }) => !mark.isInSet(open));
  for (const run of fresh.toSorted((a, b) => b.end - a.end || placeOf(a.mark) - placeOf(b.mark))) {
    const inside = stack.findLastIndex(({ mark }) => isKept(mark) && mark.isInSet(open)) + 1;
    const shorter = stack.findIndex(({ end }, at) => at >= inside && end < run.end);
    stack.splice(shorter < 0 ? stack.length : shorter, 0, run);
  }
  return stack.map(({ mark }) => mark);
}

/** The last of the nodes from `index` on that have the mark without a gap. */
function endOf(parent: Node, index: number, mark: Mark): number {
  let end = index;
  while (end + 1 < parent.childCount && mark.isInSet(parent.child(end + 1).marks)) end += 1;
  return end;
}

function openingOf({ type, attrs }: Mark): string {
  const open = textAttr(attrs, 'open');
  if (open !== null) return open;
  if (type === m.link) return `<a href="${writeAttribute(textAttr(attrs, 'href') ?? '')}">`;
  return type === m.strong ? '<strong>' : type === m.em ? '<em>' : type === m.strike ? '<s>' : '<code>';
}

/** A reference without its semicolon, which a letter behind it would change. */
const OPEN_REFERENCE = /&#?\w+$/;

function leaf(node: Node, isAfterReference: boolean): string {
  const open = textAttr(node.attrs, 'open');
  if (node.isText) {
    const text = writeText(node.text ?? '').replace(/\{$/, '&#123;');
    return isAfterReference ? text.replace(/^[\w=;]/, (one) => `&#${one.codePointAt(0)};`) : text;
  }
  if (node.type === n.chip) return textAttr(node.attrs, 'source') ?? '';
  if (open !== null) return open;
  if (node.type === n.hard_break) return '<br>';
  return `<img src="${writeAttribute(textAttr(node.attrs, 'src') ?? '')}" alt="${writeAttribute(textAttr(node.attrs, 'alt') ?? '')}">`;
}
