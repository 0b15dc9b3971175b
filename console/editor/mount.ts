import { autocompletion, type Completion, type CompletionContext, type CompletionResult, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateEffect, type Text, type TransactionSpec } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  rectangularSelection,
  tooltips,
  type ViewUpdate,
} from '@codemirror/view';
import { isMarkWarning } from '../../contract/source-marks.ts';
import { withLineFeeds } from '../../contract/source-text.ts';
import type { SourceWarning } from '../../contract/source-warning.ts';
import { lockNotes, setLocks } from './lock-notes.ts';
import { marked } from './marked.ts';
import type { Fault, ScriptState } from './protocol.ts';
import { colours, look } from './theme.ts';
import type { Types } from './types-client.ts';

export type EditorTexts = {
  label: string;
  needs(permission: string): string;
  add: string;
  /** Words of the server's check of the source. */
  fromServer: string;
  keepMine: string;
  takeTheirs: string;
};

export type EditorOptions = {
  host: HTMLElement;
  /** Whoever opened them closes them. */
  types: Types;
  source: string;
  declared: Omit<ScriptState, 'source'>;
  texts: EditorTexts;
  onSource(source: string): void;
  /** Somebody wants the version to have this permission. */
  onDeclare(permission: string): void;
  /** Keys that act on the page instead of the text. */
  keys: Record<string, () => void>;
};

export type Editor = {
  /** Puts another text into the editor, as one step that can be undone. */
  setSource(source: string): void;
  /** What the version declares; the types follow. */
  setDeclared(state: Omit<ScriptState, 'source'>): void;
  setWarnings(warnings: readonly SourceWarning[]): void;
  /** Shows the text as changes against another one, each of which can be taken back; null: as it is. */
  compareWith(source: string | null): void;
  /** Puts a piece of source where the cursor is, on lines of its own unless it goes on with one, and lets it be written on. */
  insert(text: string): void;
  /** Brings a line into sight, from 1, and puts the cursor there. */
  reveal(line: number): void;
  destroy(): void;
};

/**
 * Text that replaces a selection is put in by the editor. The browser would keep the look of what it replaces by an inline style, which
 * the content security policy refuses.
 */
const typedOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || main.empty || ranges.length > 1) return false;
    event.preventDefault();
    const text = event.data;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/**
 * CodeMirror in a shadow root: there it puts its styles into constructed sheets, which the content security policy allows, while in
 * the document it would need inline styles.
 */
export function mountEditor({ host, types, source, declared: declaredFirst, texts, onSource, onDeclare, keys }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const comparison = new Compartment();
  let declared = declaredFirst;
  let warnings: readonly SourceWarning[] = [];

  const tell = (state: EditorState): void => types.set({ ...declared, source: state.doc.toString() });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: withLineFeeds(source),
      extensions: [
        basics(texts, keys),
        typedOverSelection,
        comparison.of([]),
        lockNotes(texts, onDeclare),
        linter(async (of) => {
          tell(of.state);
          const faults = await types.ask('faults', null);
          of.dispatch({ effects: setLocks.of(faults) });
          return [
            ...faults.map((fault) => diagnosticOf(fault, texts, onDeclare)),
            ...warnings.map((one) => warningOf(of.state.doc, one, texts)),
          ];
        }, LINT),
        autocompletion({ override: [(context) => suggestions(context, types, texts, tell)], icons: false }),
        hoverTooltip((of, at) => explanation(of, at, types, tell)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onSource(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    setSource(given) {
      const next = withLineFeeds(given);
      if (next === view.state.doc.toString()) return;
      // A step of its own, however soon after another: what was discarded is brought back by one undo, and no more.
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: isolateHistory.of('full') });
    },
    setDeclared(next) {
      declared = next;
      view.dispatch({ effects: lookAgain.of(null) });
      forceLinting(view);
    },
    setWarnings(next) {
      warnings = next;
      view.dispatch({ effects: lookAgain.of(null) });
      forceLinting(view);
    },
    compareWith(original) {
      const extension = original === null ? [] : comparedWith(original, texts);
      view.dispatch({ effects: comparison.reconfigure(extension) });
    },
    insert(text) {
      view.dispatch(inserted(view.state, text));
      view.focus();
      forceLinting(view);
    },
    reveal(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** Says that the same text must be looked at again, because something else has changed. */
const lookAgain = StateEffect.define<null>();
const LINT = {
  delay: 300,
  needsRefresh: (update: ViewUpdate) => update.transactions.some(({ effects }) => effects.some((effect) => effect.is(lookAgain))),
};

function comparedWith(original: string, texts: EditorTexts): Extension {
  return unifiedMergeView({
    original: withLineFeeds(original),
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 8 },
    mergeControls: (type, act) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = type === 'accept' ? texts.keepMine : texts.takeTheirs;
      button.addEventListener('mousedown', (event) => act(event));
      // A key press on a button comes as a click without a place.
      button.addEventListener('click', (event) => event.detail === 0 && act(event));
      return button;
    },
  });
}

/** A single call goes on with a line that has begun; anything else stands on lines of its own. */
function inserted(state: EditorState, text: string): TransactionSpec {
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from);
  const [indent = ''] = /^\s*/.exec(line.text) ?? [];
  const block = text.replaceAll('\n', `\n${indent}`);
  const isBlank = line.text.trim() === '';
  const goesOn = !text.includes('\n') && state.sliceDoc(line.from, from).trim() !== '' && state.sliceDoc(to, line.to).trim() === '';
  const isStatement = !isBlank && (!goesOn || /[;{}]\s*$/.test(state.sliceDoc(line.from, from)));
  const [at, insert] = isStatement ? [line.to, `\n${indent}${block}`] : [from, goesOn ? block.replace(/;$/, '') : block];
  return {
    changes: { from: at, to: isStatement ? at : to, insert },
    selection: { anchor: at + insert.length },
    scrollIntoView: true,
    userEvent: 'input.paste',
  };
}

function basics(texts: EditorTexts, keys: Record<string, () => void>): Extension {
  const own = Object.entries(keys).map(([key, act]) => ({
    key,
    preventDefault: true,
    run: () => {
      act();
      return true;
    },
  }));
  return [
    keymap.of([...own, { key: 'Mod-i', run: startCompletion }]),
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    foldGutter(),
    drawSelection(),
    rectangularSelection(),
    crosshairCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    lintGutter(),
    tooltips({ position: 'fixed' }),
    javascript({ typescript: true }),
    syntaxHighlighting(colours),
    look,
    marked,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': texts.label }),
    keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
  ];
}

function diagnosticOf(
  { from, to, message, severity, needs }: Fault,
  texts: EditorTexts,
  onDeclare: (permission: string) => void,
): Diagnostic {
  if (needs === undefined) return { from, to, message, severity };
  return { from, to, message: texts.needs(needs), severity, actions: [{ name: texts.add, apply: () => onDeclare(needs) }] };
}

/** What the server said about the source that it was sent; its columns count UTF-16 units from 1. */
function warningOf(doc: Text, { line, column, message }: SourceWarning, texts: EditorTexts): Diagnostic {
  const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(place.from + Math.max(column - 1, 0), place.to);
  return {
    from,
    to: Math.max(from, place.to),
    message,
    severity: isMarkWarning({ message }) ? 'warning' : 'error',
    source: texts.fromServer,
  };
}

const MEMBER = /[\w$]*$/;

async function suggestions(
  context: CompletionContext,
  types: Types,
  texts: EditorTexts,
  tell: (state: EditorState) => void,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(MEMBER);
  const isMember = context.state.sliceDoc(Math.max(0, context.pos - (word?.text.length ?? 0) - 1), context.pos).startsWith('.');
  if (!context.explicit && !isMember && (word?.text ?? '') === '') return null;
  tell(context.state);
  const found = await types.ask('suggest', { at: context.pos });
  if (!found || context.aborted) return null;
  const options = found.list.map(({ name, kind, order, needs }): Completion => {
    return {
      label: name,
      type: kind,
      sortText: order,
      ...(needs === undefined ? {} : { detail: texts.needs(needs), boost: -1 }),
      info: async () => {
        const details = await types.ask('describe', { at: context.pos, name });
        return details ? explanationDom(details) : null;
      },
      // The call that is chosen is marked at once, with the offer to declare what it needs.
      ...(needs === undefined
        ? {}
        : {
            apply: (view: EditorView, _: Completion, from: number, to: number) => {
              view.dispatch({ changes: { from, to, insert: name }, selection: { anchor: from + name.length } });
              forceLinting(view);
            },
          }),
    };
  });
  return { from: found.from, options, validFor: MEMBER };
}

async function explanation(view: EditorView, at: number, types: Types, tell: (state: EditorState) => void) {
  tell(view.state);
  const found = await types.ask('explain', { at });
  if (!found) return null;
  return { pos: found.from, end: found.to, above: true, create: () => ({ dom: explanationDom(found) }) };
}

function explanationDom({ type, about }: { type: string; about: string }): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'explanation';
  const code = document.createElement('code');
  code.textContent = type;
  dom.append(code);
  if (about !== '') {
    const words = document.createElement('p');
    words.textContent = about;
    dom.append(words);
  }
  return dom;
}
