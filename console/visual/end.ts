import { type Command, Selection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { schema } from './schema.ts';

const { nodes: n } = schema;

/** Puts the cursor at the end of the text. */
export const toEnd: Command = ({ tr, doc }, dispatch) => {
  dispatch?.(tr.setSelection(Selection.atEnd(doc)).scrollIntoView());
  return true;
};

/** A press beneath the text goes on in a paragraph, which is made where the text ends otherwise, such as with a heading or a table. */
export function pressBeneath(view: EditorView, event: MouseEvent): boolean {
  const last = view.dom.lastElementChild;
  if (!view.editable || event.button !== 0 || last === null || event.clientY <= last.getBoundingClientRect().bottom) return false;
  const { doc } = view.state;
  let end = doc.content.size;
  let block = doc.lastChild;
  while (block?.type === n.container) {
    end -= 1;
    block = block.lastChild;
  }
  if (block?.type === n.paragraph) return false;
  event.preventDefault();
  const tr = view.state.tr.insert(end, n.paragraph.create());
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(end + 1))).scrollIntoView());
  view.focus();
  return true;
}
