import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { readText } from './entities.ts';
import { commentEnd, type Element, liquidEnd, type Markup, RAW, rawEnd, readMarkup, readTag, Unreadable } from './markup.ts';
import { KEPT_INLINE, type Section, schema } from './schema.ts';

/** What was read, by the key of its node: a node that is as it was read is written as it stood. */
export type Originals = ReadonlyMap<number, { node: Node; source: string }>;
export type Read = { doc: Node; originals: Originals; source: string };

const { nodes: n, marks: m } = schema;
const BLOCKS = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 blockquote ul ol table pre hr div section article main header footer aside nav figure figcaption center address ' +
    'hgroup search form fieldset details dialog dl dd dt menu li tr td th thead tbody tfoot caption colgroup'
  ).split(' '),
);
const CONTAINERS = new Set('div section article main header footer aside nav figure figcaption center address hgroup search'.split(' '));
const MARKS = new Map([
  ...['b', 'strong'].map((name) => [name, m.strong] as const),
  ...['i', 'em'].map((name) => [name, m.em] as const),
  ...['s', 'del', 'strike'].map((name) => [name, m.strike] as const),
  ['code', m.code] as const,
]);

/** Of an element that the text cannot hold as it is: it is then shown as a whole, and kept. */
const WHOLE = Symbol('whole');

/** Keys differ between all texts of a page load, because what is copied from one may be put into another. */
let lastKey = 0;

/** Reads the source of a page; throws `Unreadable` where a text of it would lose something. */
export function readSource(source: string): Read {
  const { from, to } = bodyOf(source);
  const originals = new Map<number, { node: Node; source: string }>();
  const read = reader(source, originals);
  const { children, tail } = read.blocks(readMarkup(source, from, to), 'page');
  const doc = n.doc.create({ before: source.slice(0, from), after: source.slice(to), tail }, read.filled(children));
  return { doc, originals, source };
}

/** Where the visible part of a page stands: within its body, else it is all of it. */
function bodyOf(source: string): { from: number; to: number } {
  let from: number | null = null;
  let hasHead = false;
  for (let at = 0; at < source.length; ) {
    const liquid = liquidEnd(source, at);
    const name = source[at] === '<' ? /^<(\/?[a-z]+|!|\?)/i.exec(source.slice(at, at + 12))?.[1]?.toLowerCase() : undefined;
    if (from !== null && (name === '/body' || name === '/html')) return { from, to: at };
    if (liquid !== null || name === undefined || name.startsWith('/')) at = liquid ?? at + 1;
    else if (name === '!' || name === '?') at = commentEnd(source, at);
    else {
      const tag = readTag(source, at);
      at = RAW.has(tag.name) ? rawEnd(source, at, tag.to, tag.name)[1] : tag.to;
      if (tag.name === 'body' && from === null) from = at;
      hasHead ||= tag.name === 'html' || tag.name === 'head';
    }
  }
  if (hasHead && from === null) throw new Unreadable('head', 0);
  return { from: from ?? 0, to: source.length };
}

const SPACE_FIRST = /^[\t\n\f\r ]*/;
const SPACE_LAST = /[\t\n\f\r ]*$/;
const isBlank = (text: string): boolean => /^[\t\n\f\r ]*$/.test(text);

type Place = 'page' | 'container' | 'line';
type Inline = { nodes: Node[]; isAfterSpace: boolean };

function reader(source: string, originals: Map<number, { node: Node; source: string }>) {
  const slice = ({ from, to }: { from: number; to: number }): string => source.slice(from, to);
  const opening = ({ from, opened }: Element): string => source.slice(from, opened);
  const keep = (node: Node, from: number, to: number): Node => {
    originals.set(node.attrs['key'], { node, source: source.slice(from, to) });
    return node;
  };
  /** Where there is nothing, a line to write in, which is written only when there is something in it. */
  function filled(children: Node[], isBare = false): Node[] {
    if (children.length > 0) return children;
    lastKey += 1;
    return [keep(n.paragraph.create({ lead: '', key: lastKey, isBare }), 0, 0)];
  }
  const isBlock = (one: Markup): boolean => one.kind === 'element' && (BLOCKS.has(one.name) || (one.children?.some(isBlock) ?? false));

  /** Blocks, with the space before each; what stands between them in lines becomes paragraphs without tags. */
  function blocks(markup: readonly Markup[], place: Place): { children: Node[]; tail: string } {
    const children: Node[] = [];
    let lead = '';
    let run: Markup[] = [];
    const flush = (): void => {
      ({ lead } = flushRun(run, lead, place, children));
      run = [];
    };
    for (const one of markup) {
      if (!isBlock(one)) run.push(one);
      else {
        flush();
        children.push(block(one, lead));
        lead = '';
      }
    }
    flush();
    return { children, tail: lead };
  }

  function flushRun(run: readonly Markup[], lead: string, place: Place, children: Node[]): { lead: string } {
    const isSpace = (one: Markup): boolean => one.kind === 'text' && isBlank(slice(one));
    const isText = run.some(
      (one) =>
        (one.kind === 'text' && !isSpace(one)) ||
        (one.kind === 'element' && (one.children !== null || one.name === 'br' || one.name === 'img')) ||
        (one.kind === 'liquid' && one.tag === null && place === 'line'),
    );
    if (!isText) {
      for (const one of run) {
        if (isSpace(one)) lead += slice(one);
        else {
          children.push(n.chip_block.create({ lead, source: slice(one) }));
          lead = '';
        }
      }
      return { lead };
    }
    const first = run[0];
    const last = run.at(-1);
    if (!first || !last) return { lead };
    const whole = source.slice(first.from, last.to);
    const from = first.from + (SPACE_FIRST.exec(whole)?.[0].length ?? 0);
    const to = last.to - (SPACE_LAST.exec(whole)?.[0].length ?? 0);
    const content = line(run);
    // Such as a line of marks around nothing.
    if (content === WHOLE || content.length === 0)
      children.push(n.chip_block.create({ lead: lead + source.slice(first.from, from), source: source.slice(from, to) }));
    else {
      lastKey += 1;
      const attrs = { lead: lead + source.slice(first.from, from), key: lastKey, isBare: true };
      children.push(keep(n.paragraph.create(attrs, content), from, to));
    }
    return { lead: source.slice(to, last.to) };
  }

  function block(one: Markup, lead: string): Node {
    const made = one.kind === 'element' ? element(one, lead) : WHOLE;
    return made === WHOLE ? n.chip_block.create({ lead, source: slice(one) }) : keep(made, one.from, one.to);
  }

  function element(one: Element, lead: string): Node | typeof WHOLE {
    lastKey += 1;
    const attrs = { lead, open: opening(one), key: lastKey };
    const { name, children } = one;
    if (name === 'hr') return n.rule.create(attrs);
    if (children === null) return WHOLE;
    if (name === 'pre') return preformatted(children, attrs);
    if (name === 'p' || /^h[1-6]$/.test(name)) {
      const content = children.some(isBlock) ? WHOLE : line(children);
      if (content === WHOLE) return WHOLE;
      return name === 'p' ? n.paragraph.create(attrs, content) : n.heading.create({ ...attrs, level: Number(name[1]) }, content);
    }
    if (name === 'ul' || name === 'ol') {
      const items = only(children, (item, before) => (item.name === 'li' ? within(item, 'list_item', 'line', before) : WHOLE));
      return items === WHOLE || items.nodes.length === 0
        ? WHOLE
        : n[name === 'ul' ? 'bullet_list' : 'ordered_list'].create({ ...attrs, tail: items.tail }, items.nodes);
    }
    if (name === 'table') return table(children, attrs);
    if (name === 'blockquote') return within(one, 'blockquote', 'container', lead);
    return CONTAINERS.has(name) ? within(one, 'container', name === 'figcaption' ? 'line' : 'container', lead) : WHOLE;
  }

  /** An element that holds blocks. */
  function within(
    one: Element,
    type: 'list_item' | 'blockquote' | 'container' | 'table_cell' | 'table_header',
    place: Place,
    lead = '',
    more: object = {},
  ): Node | typeof WHOLE {
    if (one.children === null) return WHOLE;
    lastKey += 1;
    const key = lastKey;
    const { children, tail } = blocks(one.children, place);
    const attrs = { lead, open: opening(one), key, tail, ...more };
    return keep(n[type].create(attrs, filled(children, place === 'line')), one.from, one.to);
  }

  /** The elements of a list or table, between which nothing but space may stand. */
  function only(
    markup: readonly Markup[],
    read: (one: Element, lead: string) => Node | Node[] | typeof WHOLE,
  ): { nodes: Node[]; tail: string } | typeof WHOLE {
    const nodes: Node[] = [];
    let lead = '';
    for (const one of markup) {
      if (one.kind === 'text' && isBlank(slice(one))) lead += slice(one);
      else {
        const made = one.kind === 'element' ? read(one, lead) : WHOLE;
        if (made === WHOLE) return WHOLE;
        nodes.push(...(Array.isArray(made) ? made : [made]));
        lead = '';
      }
    }
    return { nodes, tail: lead };
  }

  function table(markup: readonly Markup[], attrs: object): Node | typeof WHOLE {
    const rows = only(markup, (one, lead) => (one.name === 'tr' ? row(one, null, lead) : sectionRows(one, lead)));
    if (rows === WHOLE || rows.nodes.length === 0) return WHOLE;
    return n.table.create({ ...attrs, tail: rows.tail }, rows.nodes);
  }

  function sectionRows(one: Element, lead: string): Node[] | typeof WHOLE {
    if (!/^t(head|body|foot)$/.test(one.name) || one.children === null) return WHOLE;
    lastKey += 1;
    const section: Section = { open: opening(one), lead, tail: '', key: lastKey };
    const rows = only(one.children, (each, before) => (each.name === 'tr' ? row(each, section, before) : WHOLE));
    if (rows === WHOLE || rows.nodes.length === 0) return WHOLE;
    section.tail = rows.tail;
    return rows.nodes;
  }

  function row(one: Element, section: Section | null, lead: string): Node | typeof WHOLE {
    if (one.children === null) return WHOLE;
    lastKey += 1;
    const key = lastKey;
    const cells = only(one.children, (each, before) => {
      if (each.name !== 'td' && each.name !== 'th') return WHOLE;
      const spans = { colspan: spanOf(each, 'colspan'), rowspan: spanOf(each, 'rowspan') };
      if (spans.colspan === null || spans.rowspan === null) return WHOLE;
      return within(each, each.name === 'td' ? 'table_cell' : 'table_header', 'line', before, spans);
    });
    if (cells === WHOLE || cells.nodes.length === 0) return WHOLE;
    return keep(n.table_row.create({ lead, open: opening(one), key, tail: cells.tail, section }, cells.nodes), one.from, one.to);
  }

  /** null: it is not told by a number. */
  function spanOf(one: Element, name: string): number | null {
    const value = readTag(source, one.from).attributes.find((each) => each.name === name)?.value;
    return value === undefined || value === null ? 1 : /^[1-9]\d?$/.test(value) ? Number(value) : null;
  }

  function preformatted(markup: readonly Markup[], attrs: object): Node | typeof WHOLE {
    if (markup.some(({ kind }) => kind !== 'text')) return WHOLE;
    const parts = readText(markup.map(slice).join(''));
    const text = parts.map((part) => ('text' in part ? part.text : WHOLE));
    if (text.includes(WHOLE) || /\r/.test(text.join(''))) return WHOLE;
    const whole = text.join('').replace(/^\n/, '');
    return n.code_block.create(attrs, whole === '' ? [] : schema.text(whole));
  }

  /** What stands in one line, with its space as a browser shows it. */
  function line(markup: readonly Markup[]): Node[] | typeof WHOLE {
    const state: Inline = { nodes: [], isAfterSpace: true };
    if (inline(markup, [], state) === WHOLE) return WHOLE;
    const last = state.nodes.at(-1);
    if (last?.isText && last.text?.endsWith(' ')) {
      state.nodes.pop();
      const text = last.text.slice(0, -1);
      if (text !== '') state.nodes.push(schema.text(text, last.marks));
      else if (last.marks.some(({ attrs }) => attrs['key'] !== undefined)) return WHOLE;
    }
    return [...Fragment.from(state.nodes).content];
  }

  function inline(markup: readonly Markup[], marks: readonly Mark[], state: Inline): undefined | typeof WHOLE {
    const add = (node: Node): void => {
      state.nodes.push(node.mark(marks));
      state.isAfterSpace = node.type === n.hard_break;
    };
    for (const one of markup) {
      if (one.kind === 'text') {
        for (const part of readText(slice(one))) {
          if ('source' in part) add(n.chip.create({ source: part.source }));
          else addText(part.text, marks, state);
        }
      } else if (one.kind === 'element' && one.name === 'br') add(n.hard_break.create({ open: slice(one) }));
      else if (one.kind === 'element' && one.name === 'img') add(picture(one));
      else if (one.kind !== 'element' || one.children === null || !marked(one, one.children, marks, state)) {
        if (isBlock(one)) return WHOLE;
        add(n.chip.create({ source: slice(one) }));
      }
    }
    return undefined;
  }

  function addText(text: string, marks: readonly Mark[], state: Inline): void {
    const spaced = text.replaceAll(/[\t\n\f\r ]+/g, ' ');
    const shown = state.isAfterSpace && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
    if (shown === '') return;
    state.nodes.push(schema.text(shown, marks));
    state.isAfterSpace = shown.endsWith(' ');
  }

  /** Puts the content of an element there with its mark; false: there is none for it, or nothing that could have it. */
  function marked(one: Element, children: readonly Markup[], marks: readonly Mark[], state: Inline): boolean {
    const mark = markOf(one, marks);
    if (mark === null) return false;
    const inside: Inline = { nodes: [], isAfterSpace: state.isAfterSpace };
    if (inline(children, mark.addToSet([...marks]), inside) === WHOLE) return false;
    const isSpace = inside.nodes.every((node) => node.isText && isBlank(node.text ?? ''));
    if (inside.nodes.length === 0 || (isSpace && mark.attrs['key'] !== undefined)) return false;
    state.nodes.push(...inside.nodes);
    state.isAfterSpace = inside.isAfterSpace;
    return true;
  }

  function markOf(one: Element, marks: readonly Mark[]): Mark | null {
    const open = opening(one);
    const simple = MARKS.get(one.name);
    const { attributes } = readTag(source, one.from);
    if (simple && attributes.length === 0 && !marks.some(({ type }) => type === simple)) return simple.create({ open });
    lastKey += 1;
    if (one.name !== 'a') return KEPT_INLINE.has(one.name) ? m.element.create({ open, key: lastKey }) : null;
    const href = attributes.find(({ name }) => name === 'href')?.value ?? null;
    if (href === null || marks.some(({ type }) => type === m.link)) return null;
    return m.link.create({ open, href: plain(href), key: lastKey });
  }

  function picture(one: Element): Node {
    const { attributes } = readTag(source, one.from);
    const value = (wanted: string): string => plain(attributes.find(({ name }) => name === wanted)?.value ?? '');
    return n.image.create({ open: slice(one), src: value('src'), alt: value('alt') });
  }

  return { blocks, filled };
}

/** The value of an attribute as it is meant. */
function plain(value: string): string {
  return readText(value)
    .map((part) => ('text' in part ? part.text : part.source))
    .join('');
}
