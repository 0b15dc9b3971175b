import { RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { marksIn, type SourceMark } from '../../contract/source-marks.ts';

/** Writes out what cannot be seen in the text, and marks what is taken for something else. */
export const marked = StateField.define<DecorationSet>({
  create: ({ doc }) => decorationsOf(doc),
  update: (old, { docChanged, state }) => (docChanged ? decorationsOf(state.doc) : old),
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsOf(doc: Text): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const mark of marksIn(doc.toString())) found.add(mark.start, mark.end, decorationOf(mark));
  return found.finish();
}

function decorationOf({ start, end, shown, message }: SourceMark): Decoration {
  if (shown === null) return Decoration.mark({ class: 'source-mark', attributes: { title: message } });
  const widget = new Shown(shown, message);
  return start === end ? Decoration.widget({ widget, side: -1 }) : Decoration.replace({ widget });
}

class Shown extends WidgetType {
  readonly text: string;
  readonly message: string;

  constructor(text: string, message: string) {
    super();
    this.text = text;
    this.message = message;
  }

  override eq(other: Shown): boolean {
    return other.text === this.text && other.message === this.message;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement('span');
    dom.className = 'source-mark';
    dom.textContent = this.text;
    dom.title = this.message;
    return dom;
  }
}
