import { type Attrs, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';

/**
 * The text of a page as the editor has it. Each block keeps how it is written: `lead`, the space before it; `open`, its first tag as it
 * stands; `tail`, the space before its last tag; null is what the editor would write. `key` leads to the source that it was read from.
 */
const written = { lead: { default: null }, open: { default: null }, tail: { default: null }, key: { default: null } };

/** Attributes of nodes and marks are not typed by ProseMirror; these read them. */
export const textAttr = (attrs: Attrs, name: string): string | null => {
  const value: unknown = attrs[name];
  return typeof value === 'string' ? value : null;
};
export const numberAttr = (attrs: Attrs, name: string): number | null => {
  const value: unknown = attrs[name];
  return typeof value === 'number' ? value : null;
};

/** A group of rows, such as the head of a table. */
export type Section = { open: string; lead: string; tail: string; key: number };
export function sectionOf({ attrs }: Node): Section | null {
  const section: Section | null = attrs['section'];
  return section;
}

const LABEL_MAX = 60;

/** What stands on the chip of a source. */
export function chipLabel(source: string): string {
  const inside = /^\{[{%]-?\s*([\s\S]*?)\s*-?[}%]\}$/.exec(source)?.[1] ?? source;
  const line = inside.replaceAll(/\s+/g, ' ');
  return line.length > LABEL_MAX ? `${line.slice(0, LABEL_MAX)}…` : line;
}

function chip(tag: string, { attrs }: Node): DOMOutputSpec {
  const source = textAttr(attrs, 'source') ?? '';
  const kind = source.startsWith('{{') ? 'value' : source.startsWith('{%') ? 'tag' : 'markup';
  return [tag, { class: `chip ${kind}`, title: source.slice(0, 2000) }, chipLabel(source)];
}

/** Images of this server can be shown; the policy lets no others in. */
const SHOWN = /^(?:\/media\/[\w.-]+|data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+)$/;

function image({ attrs }: Node): DOMOutputSpec {
  const src = textAttr(attrs, 'src') ?? '';
  const alt = textAttr(attrs, 'alt') ?? '';
  if (SHOWN.test(src)) return ['img', { src, alt, title: alt, class: 'page-image' }];
  return ['span', { class: 'chip markup', title: src }, chipLabel(`<img> ${alt || src}`)];
}

const block = (tag: string, spec: Partial<NodeSpec> = {}): NodeSpec => ({
  group: 'block',
  content: 'inline*',
  attrs: written,
  toDOM: () => [tag, 0],
  ...spec,
});

/** How an element that only holds others is called on its edge. */
const nameOf = ({ attrs }: Node): string => /^<([^\s/>]+)/.exec(textAttr(attrs, 'open') ?? '')?.[1]?.toLowerCase() ?? '';

const cell = (tag: string, tableRole: string): NodeSpec => ({
  content: 'block+',
  attrs: { ...written, colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
  tableRole,
  isolating: true,
  toDOM: ({ attrs }) => [tag, { colspan: String(attrs['colspan']), rowspan: String(attrs['rowspan']) }, 0],
});

const nodes = {
  doc: { content: 'block+', attrs: { before: { default: '' }, after: { default: '' }, tail: { default: '' } } },
  // `isBare`: its text stands in what holds it, without a tag of its own.
  paragraph: block('p', { attrs: { ...written, isBare: { default: false } } }),
  heading: block('h1', {
    attrs: { ...written, level: { default: 2 } },
    defining: true,
    toDOM: ({ attrs }) => [`h${numberAttr(attrs, 'level')}`, 0],
  }),
  blockquote: block('blockquote', { content: 'block+', defining: true }),
  container: block('div', { content: 'block+', toDOM: (node) => ['div', { class: 'container', 'data-name': nameOf(node) }, 0] }),
  bullet_list: block('ul', { content: 'list_item+' }),
  ordered_list: block('ol', { content: 'list_item+' }),
  list_item: { content: 'block+', attrs: written, defining: true, toDOM: () => ['li', 0] },
  table: block('table', { content: 'table_row+', tableRole: 'table', isolating: true, toDOM: () => ['table', ['tbody', 0]] }),
  table_row: {
    content: '(table_cell | table_header)*',
    attrs: { ...written, section: { default: null } },
    tableRole: 'row',
    toDOM: () => ['tr', 0],
  },
  table_cell: cell('td', 'cell'),
  table_header: cell('th', 'header_cell'),
  code_block: block('pre', { content: 'text*', marks: '', code: true, defining: true }),
  rule: block('hr', { content: '', toDOM: () => ['hr'] }),
  chip_block: {
    group: 'block',
    attrs: { lead: { default: null }, source: {} },
    atom: true,
    draggable: true,
    toDOM: (node: Node) => chip('div', node),
  },
  text: { group: 'inline' },
  hard_break: { group: 'inline', inline: true, selectable: false, attrs: { open: { default: null } }, toDOM: () => ['br'] },
  image: {
    group: 'inline',
    inline: true,
    draggable: true,
    attrs: { open: { default: null }, src: { default: '' }, alt: { default: '' } },
    toDOM: image,
  },
  chip: { group: 'inline', inline: true, attrs: { source: {} }, atom: true, draggable: true, toDOM: (node: Node) => chip('span', node) },
} satisfies Record<string, NodeSpec>;

/** Elements within a line that are kept as they are, around text that can be edited. */
export const KEPT_INLINE: ReadonlySet<string> = new Set(
  'span abbr cite q kbd samp var dfn time small big sub sup ins mark font bdi bdo u data tt strong b em i code s del strike'.split(' '),
);

const simple = (tag: string): MarkSpec => ({ attrs: { open: { default: null } }, toDOM: () => [tag, 0] });

/** `key`: two that stand side by side are two. */
const marks = {
  link: {
    attrs: { open: { default: null }, href: { default: '' }, key: { default: null } },
    inclusive: false,
    // Without its address, so that a click puts the cursor there and leads nowhere.
    toDOM: ({ attrs }) => ['a', { title: textAttr(attrs, 'href') ?? '' }, 0],
  },
  element: {
    attrs: { open: {}, key: {} },
    excludes: '',
    toDOM: ({ attrs }) => {
      const name = /^<([a-z]+)/i.exec(textAttr(attrs, 'open') ?? '')?.[1]?.toLowerCase() ?? '';
      return [KEPT_INLINE.has(name) ? name : 'span', { class: 'kept', title: textAttr(attrs, 'open') ?? '' }, 0];
    },
  },
  strong: simple('strong'),
  em: simple('em'),
  strike: simple('s'),
  code: simple('code'),
} satisfies Record<string, MarkSpec>;

export const schema = new Schema({ nodes, marks });
