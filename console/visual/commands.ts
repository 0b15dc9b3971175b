import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import { type Attrs, Fragment, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from 'prosemirror-tables';
import { schema, textAttr } from './schema.ts';
import { withAttribute } from './write-source.ts';

const { nodes: n, marks: m } = schema;

export const blockKinds = ['paragraph', 'heading1', 'heading2', 'heading3', 'heading4', 'heading5', 'heading6', 'code_block'] as const;
export type BlockKind = (typeof blockKinds)[number];

export const acts = [
  ...(['strong', 'em', 'code', 'strike', 'bullet_list', 'ordered_list', 'blockquote', 'table', 'rule', 'undo', 'redo'] as const),
  ...(['row', 'column', 'drop_row', 'drop_column', 'drop_table'] as const),
] as const;
export type Act = (typeof acts)[number];

/** What the toolbar shows of the place where the cursor is. */
export type Shown = {
  block: BlockKind | null;
  on: ReadonlySet<Act>;
  can: ReadonlySet<Act>;
  isInTable: boolean;
  /** The address of the link there; null: no link. */
  link: string | null;
  hasSelection: boolean;
};

export function shownOf(state: EditorState): Shown {
  const { $from, empty, from, to } = state.selection;
  const { parent } = $from;
  const block =
    parent.type === n.heading
      ? blockKinds.find((one) => one === `heading${parent.attrs['level']}`)
      : blockKinds.find((one) => one === parent.type.name);
  const marks = empty ? (state.storedMarks ?? $from.marks()) : [];
  const isMarked = (type: MarkType): boolean => (empty ? type.isInSet(marks) !== undefined : state.doc.rangeHasMark(from, to, type));
  const within = (type: NodeType): boolean => ancestors(state).some((node) => node.type === type);
  const on = new Set<Act>();
  for (const name of ['strong', 'em', 'code', 'strike'] as const) if (isMarked(m[name])) on.add(name);
  for (const name of ['bullet_list', 'ordered_list', 'blockquote'] as const) if (within(n[name])) on.add(name);
  const can = new Set(
    acts.filter((act) => (act === 'undo' ? undoDepth(state) > 0 : act === 'redo' ? redoDepth(state) > 0 : commandOf(act)(state))),
  );
  return { block: block ?? null, on, can, isInTable: isInTable(state), link: linkAt(state)?.href ?? null, hasSelection: !empty };
}

const ancestors = ({ selection: { $from } }: EditorState): Node[] =>
  Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth));

export function commandOf(act: Act): Command {
  switch (act) {
    case 'strong':
    case 'em':
    case 'code':
    case 'strike':
      return toggleMark(m[act]);
    case 'bullet_list':
    case 'ordered_list':
      return list(n[act]);
    case 'blockquote':
      return quote;
    case 'table':
      return insertTable;
    case 'rule':
      return insertBlock(() => n.rule.create());
    default:
      return others[act];
  }
}

const others = {
  undo,
  redo,
  row: addRowAfter,
  column: addColumnAfter,
  drop_row: deleteRow,
  drop_column: deleteColumn,
  drop_table: deleteTable,
};

/** A text block becomes another one; its other attributes, such as a class, stay. */
export function setBlock(kind: BlockKind): Command {
  const level = /^heading(\d)$/.exec(kind)?.[1];
  const type = level === undefined ? n[kind === 'code_block' ? 'code_block' : 'paragraph'] : n.heading;
  const tag = level === undefined ? (kind === 'code_block' ? 'pre' : 'p') : `h${level}`;
  return (state, dispatch) => {
    if (!setBlockType(type, level === undefined ? null : { level: Number(level) })(state)) return false;
    if (!dispatch) return true;
    const { tr } = state;
    const { from, to } = state.selection;
    state.doc.nodesBetween(from, to, (node, at) => {
      if (!node.isTextblock) return true;
      const open = textAttr(node.attrs, 'open')?.replace(/^<[^\s/>]+/, `<${tag}`) ?? null;
      const attrs = { lead: node.attrs['lead'], open, key: node.attrs['key'], ...(level === undefined ? {} : { level: Number(level) }) };
      tr.setBlockType(tr.mapping.map(at), tr.mapping.map(at + node.nodeSize), type, attrs);
      return false;
    });
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Into a list, out of it, or from one kind of list to the other. */
function list(type: NodeType): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    for (let depth = $from.depth; depth > 0; depth -= 1) {
      const node = $from.node(depth);
      if (node.type === type) return liftListItem(n.list_item)(state, dispatch);
      if (node.type !== n.bullet_list && node.type !== n.ordered_list) continue;
      const tag = type === n.bullet_list ? 'ul' : 'ol';
      const attrs = { ...node.attrs, open: textAttr(node.attrs, 'open')?.replace(/^<[^\s/>]+/, `<${tag}`) ?? null };
      dispatch?.(state.tr.setNodeMarkup($from.before(depth), type, attrs));
      return true;
    }
    return wrapInList(type)(state, dispatch);
  };
}

const quote: Command = (state, dispatch) =>
  ancestors(state).some(({ type }) => type === n.blockquote) ? lift(state, dispatch) : wrapIn(n.blockquote)(state, dispatch);

/** Behind the block in which the cursor is, or in place of it if it is empty. */
export function insertBlock(make: () => Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if (!dispatch) return true;
    const { tr } = state;
    const isEmpty = $from.parent.isTextblock && $from.parent.content.size === 0 && $from.depth > 0;
    const at = isEmpty ? $from.before() : $from.depth === 0 ? state.selection.to : $from.after();
    const made = make();
    const isLast = tr.doc.resolve(isEmpty ? $from.after() : at).nodeAfter === null;
    const all = isLast ? [made, n.paragraph.create()] : [made];
    tr.replaceWith(at, isEmpty ? $from.after() : at, all);
    const inside = made.isTextblock || made.firstChild !== null;
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(inside ? at + 1 : at + made.nodeSize), 1)).scrollIntoView());
    return true;
  };
}

const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const line = (): Node => n.paragraph.create({ isBare: true });
  const row = (type: NodeType): Node =>
    n.table_row.create(
      null,
      [0, 1, 2].map(() => type.create(null, line())),
    );
  return insertBlock(() => n.table.create(null, [row(n.table_header), row(n.table_cell), row(n.table_cell)]))(state, dispatch);
};

/** The block with the cursor goes above or below its neighbour; so does a chip that is selected. */
export function move(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const { selection, doc } = state;
    const { $from } = selection;
    const isNode = selection instanceof NodeSelection && selection.node.isBlock;
    const depth = isNode ? $from.depth : movable($from.depth, (at) => $from.node(at).type);
    const parent = $from.node(depth);
    const index = $from.index(depth);
    const other = index + direction;
    if (other < 0 || other >= parent.childCount) return false;
    if (!dispatch) return true;
    const first = Math.min(index, other);
    const start = $from.posAtIndex(first, depth);
    const [one, two] = [parent.child(first), parent.child(first + 1)];
    const { tr } = state;
    tr.replaceWith(start, start + one.nodeSize + two.nodeSize, Fragment.from([led(two, one), led(one, two)]));
    const shift = direction < 0 ? -one.nodeSize : two.nodeSize;
    tr.setSelection(
      isNode
        ? NodeSelection.create(tr.doc, selection.from + shift)
        : TextSelection.create(tr.doc, selection.anchor + shift, selection.head + shift),
    );
    dispatch(tr.scrollIntoView());
    return doc !== tr.doc;
  };
}

/** The space before a block belongs to its place. */
const led = (node: Node, place: Node): Node => node.type.create({ ...node.attrs, lead: place.attrs['lead'] }, node.content, node.marks);

/** The depth of what is moved: of a line in a list, its item; of a cell, its row. */
function movable(depth: number, typeAt: (depth: number) => NodeType): number {
  for (let at = depth - 1; at > 0; at -= 1) {
    if (typeAt(at + 1) === n.list_item || typeAt(at + 1) === n.table_row) return at;
  }
  return Math.max(0, depth - 1);
}

type Link = { href: string; from: number; to: number; attrs: Attrs };

/** The link at the cursor, with all of its text. */
export function linkAt({ selection, doc }: EditorState): Link | null {
  const { $from, empty } = selection;
  const mark = m.link.isInSet(empty ? $from.marks() : ($from.nodeAfter?.marks ?? []));
  if (!mark) return null;
  const start = $from.start();
  let [from, to] = [$from.pos, $from.pos];
  doc.nodesBetween(start, $from.end(), (node, at) => {
    if (!node.isInline || !mark.isInSet(node.marks)) return;
    from = Math.min(from, at);
    to = Math.max(to, at + node.nodeSize);
  });
  return { href: textAttr(mark.attrs, 'href') ?? '', from, to, attrs: mark.attrs };
}

/** Sets where the link leads, of the selected text or of the link at the cursor; without either, the address is put there as text. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const known = linkAt(state);
    const open = known ? textAttr(known.attrs, 'open') : null;
    const mark = m.link.create({ ...known?.attrs, href, open: open === null ? null : withAttribute(open, 'href', href) });
    const { tr } = state;
    const { from, to, empty } = state.selection;
    if (known) tr.removeMark(known.from, known.to, m.link).addMark(known.from, known.to, mark);
    else if (!empty) tr.addMark(from, to, mark);
    else tr.insert(from, schema.text(href, [mark]));
    dispatch?.(tr.removeStoredMark(m.link).scrollIntoView());
    return true;
  };
}

export const removeLink: Command = (state, dispatch) => {
  const known = linkAt(state);
  const { from, to, empty } = state.selection;
  if (!known && empty) return false;
  dispatch?.(state.tr.removeMark(known?.from ?? from, known?.to ?? to, m.link));
  return true;
};
