import { diffArrays } from 'diff';
import { linesOf } from './source-text.ts';

/** `before`, `after`: the number of the line in each text. `-`: the line is in the old text only; `+`: in the new one only. */
export type DiffLine = { mark: ' ' | '-' | '+'; text: string; before: number | null; after: number | null };

/** Where two texts differ in more lines than this, the whole old one is shown as removed and the whole new one as added. */
const MAX_EDITS = 2000;

/** Compares two texts line by line. Removed lines come before those that replace them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  let [oldLine, newLine] = [0, 0];
  return parts.flatMap(({ removed, added, value }) =>
    value.map((text): DiffLine => {
      if (removed) return { mark: '-', text, before: ++oldLine, after: null };
      if (added) return { mark: '+', text, before: null, after: ++newLine };
      return { mark: ' ', text, before: ++oldLine, after: ++newLine };
    }),
  );
}

function textsOf(source: string): string[] {
  return source === '' ? [] : linesOf(source).map(({ text }) => text);
}
