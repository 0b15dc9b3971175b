import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { Fault } from './protocol.ts';

/** Tells the editor which calls need a permission that the version does not declare. */
export const setLocks = StateEffect.define<readonly Fault[]>();

type Texts = { needs(permission: string): string; add: string };

/** Below a line with a call that needs more than the version declares: what it needs, and the act that declares it. */
export function lockNotes(texts: Texts, onDeclare: (permission: string) => void): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(notes, transaction) {
      const told = transaction.effects.find((effect) => effect.is(setLocks));
      if (!told?.is(setLocks)) return notes.map(transaction.changes);
      const { doc } = transaction.state;
      const places = new Map<string, { at: number; indent: number; needs: string }>();
      for (const { from, needs } of told.value) {
        if (needs === undefined || from > doc.length) continue;
        const line = doc.lineAt(from);
        places.set(`${line.number} ${needs}`, { at: line.to, indent: from - line.from, needs });
      }
      return RangeSet.of(
        [...places.values()].map(({ at, indent, needs }) =>
          Decoration.widget({ widget: new Note(needs, indent, texts, onDeclare), block: true, side: 1 }).range(at),
        ),
        true,
      );
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

class Note extends WidgetType {
  readonly needs: string;
  readonly indent: number;
  readonly texts: Texts;
  readonly onDeclare: (permission: string) => void;

  constructor(needs: string, indent: number, texts: Texts, onDeclare: (permission: string) => void) {
    super();
    this.needs = needs;
    this.indent = indent;
    this.texts = texts;
    this.onDeclare = onDeclare;
  }

  override eq(other: Note): boolean {
    return other.needs === this.needs && other.indent === this.indent;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement('div');
    dom.className = 'lock-note';
    dom.style.setProperty('--indent', String(this.indent));
    const words = document.createElement('span');
    words.textContent = this.texts.needs(this.needs);
    const add = document.createElement('button');
    add.type = 'button';
    add.textContent = this.texts.add;
    add.addEventListener('click', () => this.onDeclare(this.needs));
    dom.append(words, add);
    return dom;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
