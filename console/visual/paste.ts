import { Fragment, type Mark, type Node, type NodeType, Slice } from 'prosemirror-model';
import { type Loose, type LooseElement, readLoose } from './loose-markup.ts';
import { liquidEnd } from './markup.ts';
import { schema } from './schema.ts';

const { nodes: n, marks: m } = schema;

/** What is pasted from elsewhere, as far as a page has something for it: text, its marks, links, lists, tables. */
export function cleaned(html: string): Slice {
  return slice(blocksOf(readLoose(html)));
}

/** Plain text: an empty line ends a paragraph. */
export function ofText(text: string): Slice {
  const paragraphs = text.replaceAll('\r\n', '\n').split(/\n{2,}/);
  return slice(
    paragraphs.map((paragraph) => {
      const lines = paragraph.split('\n').map((line) => withLiquid(line, []));
      return n.paragraph.create(
        null,
        lines.flatMap((line, index) => (index === 0 ? line : [n.hard_break.create(), ...line])),
      );
    }),
  );
}

/** A paragraph at either end continues the one in which it is put; anything else begins on its own. */
function slice(blocks: readonly Node[]): Slice {
  const isOpen = (node: Node | undefined): number => (node?.type === n.paragraph ? 1 : 0);
  return new Slice(Fragment.from([...blocks]), isOpen(blocks[0]), isOpen(blocks.at(-1)));
}

/** A text in which Liquid is shown as chips, since it would have an effect in the source. */
export function withLiquid(text: string, marks: readonly Mark[]): Node[] {
  const nodes: Node[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') nodes.push(schema.text(plain, marks));
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '{' ? endOrNull(text, at) : null;
    if (end === null) plain += text[at];
    else {
      flush();
      nodes.push(n.chip.create({ source: text.slice(at, end) }, null, [...marks]));
    }
    at = end ?? at + 1;
  }
  flush();
  return nodes;
}

function endOrNull(text: string, at: number): number | null {
  try {
    return liquidEnd(text, at);
  } catch {
    return null;
  }
}

const BLOCK = new Set(
  (
    'p div h1 h2 h3 h4 h5 h6 ul ol li table tbody thead tfoot tr td th blockquote pre hr section article main header footer aside nav figure ' +
    'figcaption body html center form fieldset dl dt dd address details summary'
  ).split(' '),
);

const holdsBlock = (one: Loose): boolean => typeof one !== 'string' && (isBlock(one) || one.children.some(holdsBlock));
const isBlock = ({ name }: LooseElement): boolean => BLOCK.has(name);

/** Marks of elements around blocks count for the text in them. */
function blocksOf(nodes: readonly Loose[], marks: readonly Mark[] = []): Node[] {
  const blocks: Node[] = [];
  let line: Node[] = [];
  const flush = (): void => {
    const trimmed = trim(line);
    if (trimmed.length > 0) blocks.push(n.paragraph.create(null, trimmed));
    line = [];
  };
  for (const one of wordLists(nodes)) {
    if (!holdsBlock(one)) line.push(...inlineOf([one], marks));
    else if (typeof one !== 'string') {
      flush();
      blocks.push(...blockOf(one, marks));
    }
  }
  flush();
  return blocks;
}

function blockOf(one: LooseElement, marks: readonly Mark[]): Node[] {
  const { name, children } = one;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined && !children.some(holdsBlock)) return lineOf(n.heading, children, marks, { level: Number(level) });
  if (name === 'p' && !children.some(holdsBlock)) return lineOf(n.paragraph, children, marks);
  if (name === 'hr') return [n.rule.create()];
  if (name === 'pre') return textOf(one) === '' ? [] : [n.code_block.create(null, schema.text(textOf(one)))];
  if (name === 'ul' || name === 'ol') {
    const items = itemsOf(children, marks);
    return items.length === 0 ? [] : [n[name === 'ul' ? 'bullet_list' : 'ordered_list'].create(null, items)];
  }
  if (name === 'table') return tableOf(one, marks);
  const inside = blocksOf(children, [...marksOf(one, marks)]);
  return name === 'blockquote' && inside.length > 0 ? [n.blockquote.create(null, inside)] : inside;
}

/** Some programs put a list beside its item instead of into it. */
function itemsOf(nodes: readonly Loose[], marks: readonly Mark[]): Node[] {
  const items: Node[] = [];
  for (const one of nodes) {
    if (typeof one === 'string') continue;
    const content = blocksOf(one.name === 'li' ? one.children : [one], marks);
    const before = items.at(-1);
    if (one.name !== 'li' && before) items[items.length - 1] = before.copy(before.content.append(Fragment.from(content)));
    else if (content.length > 0) items.push(n.list_item.create(null, bare(content)));
  }
  return items;
}

/** A single line in an item or a cell has no tag of its own. */
function bare(content: readonly Node[]): Node[] {
  return content.map((node, index) =>
    node.type === n.paragraph && content[index + 1]?.type !== n.paragraph && content[index - 1]?.type !== n.paragraph
      ? n.paragraph.create({ isBare: true }, node.content)
      : node,
  );
}

function tableOf(table: LooseElement, marks: readonly Mark[]): Node[] {
  const rows = elementsOf(table, 'tr', 'table').map((row) =>
    row.children.flatMap((cell) => (typeof cell !== 'string' && /^t[dh]$/.test(cell.name) ? [cellOf(cell, marks)] : [])),
  );
  const full = rows.filter((cells) => cells.length > 0).map((cells) => n.table_row.create(null, cells));
  return full.length === 0 ? [] : [n.table.create(null, full)];
}

function cellOf(cell: LooseElement, marks: readonly Mark[]): Node {
  const span = (name: string): number => Math.min(50, Math.max(1, Number.parseInt(cell.attributes.get(name) ?? '1', 10) || 1));
  const content = bare(blocksOf(cell.children, marks));
  const attrs = { colspan: span('colspan'), rowspan: span('rowspan') };
  return n[cell.name === 'td' ? 'table_cell' : 'table_header'].create(
    attrs,
    content.length > 0 ? content : n.paragraph.create({ isBare: true }),
  );
}

/** Elements of a name, but not those in another one of `barrier`. */
function elementsOf({ children }: LooseElement, name: string, barrier: string): LooseElement[] {
  return children.flatMap((one) => {
    if (typeof one === 'string' || one.name === barrier) return [];
    return one.name === name ? [one] : elementsOf(one, name, barrier);
  });
}

function lineOf(type: NodeType, children: readonly Loose[], marks: readonly Mark[], attrs: object | null = null): Node[] {
  const line = trim(inlineOf(children, marks));
  return line.length === 0 ? [] : [type.create({ ...attrs }, line)];
}

function inlineOf(nodes: readonly Loose[], marks: readonly Mark[]): Node[] {
  return nodes.flatMap((one): Node[] => {
    if (typeof one === 'string') {
      const text = one.replaceAll(/[\t\n\f\r ]+/g, ' ').replaceAll('\u00a0', ' ');
      return text === '' ? [] : withLiquid(text, marks);
    }
    if (one.name === 'br') return [n.hard_break.create()];
    if (one.name !== 'img') return inlineOf(one.children, marksOf(one, marks));
    const src = one.attributes.get('src') ?? '';
    // An image of another server would tell it who reads the page.
    return src.startsWith('/media/') ? [n.image.create({ src, alt: one.attributes.get('alt') ?? '' })] : [];
  });
}

const LINK = /^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i;

/** The marks within an element; programs write some of them as styles. */
function marksOf({ name, attributes }: LooseElement, marks: readonly Mark[]): readonly Mark[] {
  const style = (attributes.get('style') ?? '').toLowerCase();
  const weight = /(?:^|;)\s*font-weight:\s*(\w+)/.exec(style)?.[1];
  const has = (pattern: RegExp): boolean => pattern.test(style);
  const href = attributes.get('href')?.trim() ?? '';
  const isPlain = weight === 'normal' || weight === '400';
  const made: Mark[] = [];
  if ((/^(b|strong)$/.test(name) && !isPlain) || weight === 'bold' || Number(weight) >= 600) made.push(m.strong.create());
  if (/^(i|em)$/.test(name) || has(/font-style:\s*italic/)) made.push(m.em.create());
  if (/^(s|del|strike)$/.test(name) || has(/text-decoration[^;]*line-through/)) made.push(m.strike.create());
  if (/^(code|kbd|samp|tt)$/.test(name)) made.push(m.code.create());
  if (name === 'a' && LINK.test(href)) made.push(m.link.create({ href }));
  return made.reduce<readonly Mark[]>((all, mark) => mark.addToSet(all), marks);
}

function trim(line: readonly Node[]): Node[] {
  const nodes = [...Fragment.from([...line]).content];
  const edge = (at: 'first' | 'last'): void => {
    for (;;) {
      const node = at === 'first' ? nodes[0] : nodes.at(-1);
      const text = node?.isText ? (at === 'first' ? node.text?.trimStart() : node.text?.trimEnd()) : undefined;
      const isGone = text === '' || (node?.type === n.hard_break && at === 'last');
      if (isGone) at === 'first' ? nodes.shift() : nodes.pop();
      else {
        if (node && text !== undefined) nodes[at === 'first' ? 0 : nodes.length - 1] = schema.text(text, node.marks);
        return;
      }
    }
  };
  edge('first');
  edge('last');
  // Space on both sides of the end of a mark is one space.
  return nodes.flatMap((node, index) => {
    if (!node.isText) return [node];
    const isAfterSpace = nodes[index - 1]?.text?.endsWith(' ') ?? false;
    const text = (node.text ?? '').replaceAll(/ {2,}/g, ' ').replace(isAfterSpace ? /^ / : /$^/, '');
    return text === '' ? [] : [schema.text(text, node.marks)];
  });
}

const textOf = (one: Loose): string => (typeof one === 'string' ? one : one.name === 'br' ? '\n' : one.children.map(textOf).join(''));

/** Word writes lists as paragraphs with a style that tells the depth, and the bullet as text. */
function wordLists(nodes: readonly Loose[]): Loose[] {
  const made: Loose[] = [];
  let open: { level: number; list: LooseElement }[] = [];
  for (const one of nodes) {
    const level = typeof one === 'string' ? null : wordLevel(one);
    if (level === null || typeof one === 'string') {
      // The space between two items is not the end of their list.
      if (typeof one !== 'string' || one.trim() !== '') open = [];
      made.push(one);
      continue;
    }
    const item: LooseElement = { name: 'li', attributes: new Map(), children: one.children.filter((child) => !isBullet(child)) };
    open = open.filter((each) => each.level <= level);
    let last = open.at(-1);
    if (last?.level !== level) {
      const isNumbered = one.children.some((child) => isBullet(child) && /^\s*\w{1,4}[.)]/.test(textOf(child)));
      const list: LooseElement = { name: isNumbered ? 'ol' : 'ul', attributes: new Map(), children: [] };
      const parent = last?.list.children.at(-1);
      if (parent !== undefined && typeof parent !== 'string') parent.children.push(list);
      else made.push(list);
      last = { level, list };
      open.push(last);
    }
    last.list.children.push(item);
  }
  return made;
}

const wordLevel = ({ name, attributes }: LooseElement): number | null => {
  const level = name === 'p' ? /mso-list:[^;]*level(\d)/i.exec(attributes.get('style') ?? '')?.[1] : undefined;
  return level === undefined ? null : Number(level);
};

const isBullet = (one: Loose): boolean =>
  typeof one !== 'string' &&
  (/mso-list:\s*ignore/i.test(one.attributes.get('style') ?? '') || (one.children.length > 0 && one.children.every(isBullet)));
