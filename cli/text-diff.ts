import { diffArrays } from 'diff';
import { shownLines } from '../contract/source-marks.ts';
import { linesOf } from '../contract/source-text.ts';

/** `-`: the line is only in the old text; `+`: only in the new one. */
type Line = { mark: ' ' | '-' | '+'; text: string };

const CONTEXT = 3;
/** Where the texts differ in more lines than this, the whole old text is shown as removed and the whole new text as added. */
const MAX_EDITS = 2000;

/** The lines of a unified diff, with what a reader could not see written out; none where the texts are equal. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = compare(before, after);
  const shown = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' '));
  const out: string[] = [];
  let [oldLine, newLine] = [1, 1];
  lines.forEach(({ mark, text }, at) => {
    if (shown[at] && !shown[at - 1]) {
      const next = shown.indexOf(false, at);
      const hunk = lines.slice(at, next < 0 ? undefined : next);
      const count = (without: Line['mark']) => hunk.filter((line) => line.mark !== without).length;
      out.push(`@@ -${oldLine},${count('+')} +${newLine},${count('-')} @@`);
    }
    if (shown[at]) out.push(`${mark}${text}`);
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  });
  return out;
}

/** Compares two texts line by line. Removed lines come before the lines that replace them. */
function compare(before: string, after: string): Line[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  const [shownOld, shownNow] = [shownLines(before), shownLines(after)];
  const parts = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  let [oldLine, newLine] = [0, 0];
  return parts.flatMap(({ removed, added, value }) =>
    value.map((): Line => {
      if (removed) return { mark: '-', text: shownOld[oldLine++] ?? '' };
      if (!added) oldLine += 1;
      return { mark: added ? '+' : ' ', text: shownNow[newLine++] ?? '' };
    }),
  );
}

function textsOf(source: string): string[] {
  return linesOf(source).map(({ text }) => text);
}
