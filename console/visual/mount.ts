import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { Slice } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, EditorState, type Plugin, Selection } from 'prosemirror-state';
import { goToNextCell, tableEditing } from 'prosemirror-tables';
import { dropPoint } from 'prosemirror-transform';
import { EditorView } from 'prosemirror-view';
import { type Act, type BlockKind, commandOf, linkAt, move, removeLink, type Shown, setBlock, setLink, shownOf } from './commands.ts';
import { pressBeneath, toEnd } from './end.ts';
import { liquidEnd } from './markup.ts';
import { cleaned, ofText } from './paste.ts';
import type { Read } from './read-source.ts';
import { schema } from './schema.ts';
import { writeSource } from './write-source.ts';

const { nodes: n } = schema;

export type VisualOptions = {
  host: HTMLElement;
  read: Read;
  attributes: Record<string, string>;
  isReadOnly: boolean;
  onSource(source: string): void;
  onShown(shown: Shown): void;
  /** Files that were dropped or pasted into the text. `insert` puts an image where they were. */
  onFiles(files: readonly File[], insert: (image: Image) => void): void;
  /** Somebody wants to set where a link leads. */
  onLink(): void;
};
export type Image = { src: string; alt: string };

export type Visual = {
  /** Shows another source, from the start. */
  show(read: Read): void;
  act(act: Act): void;
  setBlock(kind: BlockKind): void;
  setLink(href: string): void;
  removeLink(): void;
  insertImage(image: Image): void;
  focus(): void;
  /** Takes the cursor to the end of the text. */
  writeOn(): void;
  destroy(): void;
};

/** What was copied last from a text of a page, which is put in as it is; what comes from elsewhere is cleaned. */
let copied: { html: string; slice: Slice } | null = null;

export function mountVisual({ host, read: first, attributes, isReadOnly, onSource, onShown, onFiles, onLink }: VisualOptions): Visual {
  let read = first;
  /** Where images will be put that are still on their way. */
  const awaited = new Set<{ at: number }>();
  const stateOf = ({ doc }: Read): EditorState => EditorState.create({ doc, plugins: plugins(onLink) });
  const view = new EditorView(host, {
    state: stateOf(read),
    attributes,
    editable: () => !isReadOnly,
    dispatchTransaction(tr) {
      for (const place of awaited) place.at = tr.mapping.map(place.at);
      view.updateState(view.state.apply(tr));
      if (tr.docChanged) onSource(writeSource(view.state.doc, read.originals));
      onShown(shownOf(view.state));
    },
    handleDOMEvents: {
      mousedown: pressBeneath,
      beforeinput: typedOverSelection,
      copy: (_, event) => copy(view, event, false),
      cut: (_, event) => copy(view, event, true),
      paste: (_, event) => {
        event.preventDefault();
        if (event.clipboardData && view.editable) take(event.clipboardData, null);
        return true;
      },
      // What is moved within the text ProseMirror moves.
      drop: (_, event) => {
        if (view.dragging !== null || !event.dataTransfer) return false;
        event.preventDefault();
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (place && view.editable) take(event.dataTransfer, place.pos);
        return true;
      },
    },
  });
  onShown(shownOf(view.state));

  /** Its own parser, since that of the browser would need a policy for trusted HTML. */
  function take(data: DataTransfer, dropped: number | null): void {
    const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
    const html = data.getData('text/html');
    if (files.length > 0 && (html === '' || !/<(p|li|td|h\d)\b/i.test(html))) {
      const place = { at: dropped ?? view.state.selection.from };
      awaited.add(place);
      onFiles(files, (image) => insertImage(image, place.at));
      return;
    }
    const isCode = view.state.selection.$from.parent.type === n.code_block;
    const text = data.getData('text/plain');
    if (isCode) view.dispatch(view.state.tr.insertText(text).scrollIntoView());
    else insert(html === '' ? ofText(text) : html === copied?.html ? copied.slice : cleaned(html), dropped);
  }

  function insert(slice: Slice, dropped: number | null): void {
    if (slice.size === 0) return;
    if (dropped === null && view.someProp('handlePaste', (handle) => handle(view, new ClipboardEvent('paste'), slice))) return;
    const { tr } = view.state;
    if (dropped === null) tr.replaceSelection(slice);
    else {
      const at = dropPoint(tr.doc, dropped, slice) ?? dropped;
      tr.replaceRange(at, at, slice).setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(at)), -1));
    }
    view.dispatch(tr.scrollIntoView().setMeta('paste', true));
    view.focus();
  }

  function insertImage({ src, alt }: Image, at: number | null = null): void {
    const image = n.image.create({ src, alt });
    const place = view.state.doc.resolve(at ?? view.state.selection.from);
    const { tr } = view.state;
    if (place.parent.inlineContent) tr.insert(place.pos, image);
    else tr.insert(dropPoint(tr.doc, place.pos, n.paragraph.create(null, image).slice(0)) ?? place.pos, n.paragraph.create(null, image));
    view.dispatch(tr.scrollIntoView());
  }

  const run = (command: Command): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  return {
    show(next) {
      read = next;
      view.updateState(stateOf(next));
      onShown(shownOf(view.state));
    },
    act: (act) => run(commandOf(act)),
    setBlock: (kind) => run(setBlock(kind)),
    setLink: (href) => run(setLink(href)),
    removeLink: () => run(removeLink),
    insertImage(image) {
      insertImage(image);
      view.focus();
    },
    focus: () => view.focus(),
    writeOn: () => run(toEnd),
    destroy: () => view.destroy(),
  };
}

function copy(view: EditorView, event: ClipboardEvent, isCut: boolean): boolean {
  if (view.state.selection.empty || !event.clipboardData) return false;
  event.preventDefault();
  const { dom, text, slice } = view.serializeForClipboard(view.state.selection.content());
  copied = { html: dom.innerHTML, slice };
  event.clipboardData.setData('text/html', copied.html);
  event.clipboardData.setData('text/plain', text);
  if (isCut && view.editable) view.dispatch(view.state.tr.deleteSelection().scrollIntoView());
  return true;
}

/** A browser would keep the look of what is typed over by an inline style, which the content security policy refuses. */
function typedOverSelection(view: EditorView, event: InputEvent): boolean {
  const { from, to, empty } = view.state.selection;
  if (event.inputType !== 'insertText' || event.data === null || event.isComposing || empty) return false;
  event.preventDefault();
  view.dispatch(view.state.tr.insertText(event.data, from, to).scrollIntoView());
  return true;
}

function plugins(onLink: () => void): Plugin[] {
  const link: Command = (state) => {
    if (state.selection.empty && linkAt(state) === null) return false;
    onLink();
    return true;
  };
  const newLine = chainCommands(exitCode, (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(n.hard_break.create()).scrollIntoView());
    return true;
  });
  // A tab leads out of the text where it has nothing else to do; Escape leads out of it everywhere.
  const leave: Command = (_, __, view) => {
    view?.dom.blur();
    return true;
  };
  const headings = (['heading1', 'heading2', 'heading3', 'heading4'] as const).map((kind, index) => [
    `Mod-Alt-${index + 1}`,
    setBlock(kind),
  ]);
  return [
    rules(),
    keymap({
      ...Object.fromEntries(headings),
      'Mod-Alt-0': setBlock('paragraph'),
      'Mod-b': commandOf('strong'),
      'Mod-i': commandOf('em'),
      'Mod-e': commandOf('code'),
      'Mod-k': link,
      'Mod-Shift-7': commandOf('ordered_list'),
      'Mod-Shift-8': commandOf('bullet_list'),
      'Mod-Shift-9': commandOf('blockquote'),
      'Mod-z': commandOf('undo'),
      'Mod-y': commandOf('redo'),
      'Mod-Shift-z': commandOf('redo'),
      'Alt-ArrowUp': move(-1),
      'Alt-ArrowDown': move(1),
      'Shift-Enter': newLine,
      Enter: splitListItem(n.list_item),
      Tab: chainCommands(goToNextCell(1), lastCell, sinkListItem(n.list_item)),
      'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(n.list_item)),
      Escape: leave,
    }),
    keymap(baseKeymap),
    dropCursor({ class: 'drop-cursor', color: false, width: 2 }),
    gapCursor(),
    tableEditing(),
    history(),
  ];
}

/** A tab in the last cell begins a row. */
const lastCell: Command = (state, dispatch, view) => {
  const row = commandOf('row');
  if (!row(state)) return false;
  if (dispatch && view) {
    row(state, dispatch);
    goToNextCell(1)(view.state, dispatch);
  }
  return true;
};

function rules(): Plugin {
  const whole = (text: string): boolean => {
    try {
      return liquidEnd(text, 0) === text.length;
    } catch {
      return false;
    }
  };
  return inputRules({
    rules: [
      // Liquid that is typed becomes a chip, since it would have an effect in the source.
      new InputRule(/(?:\{\{.+\}\}|\{%.+%\})$/, (state, [typed], from, to) =>
        whole(typed) ? state.tr.replaceWith(from, to, n.chip.create({ source: typed })) : null,
      ),
      wrappingInputRule(/^\s*>\s$/, n.blockquote),
      wrappingInputRule(/^\s*[-*]\s$/, n.bullet_list),
      wrappingInputRule(/^1\.\s$/, n.ordered_list),
      textblockTypeInputRule(/^(#{1,4})\s$/, n.heading, ([, marks = '']) => ({ level: marks.length })),
      new InputRule(/^---$/, (state, _, from) => {
        const $from = state.doc.resolve(from);
        if ($from.depth === 0 || $from.parent.type !== n.paragraph) return null;
        return state.tr.replaceWith($from.before(), $from.after(), [n.rule.create(), n.paragraph.create()]);
      }),
    ],
  });
}
