import { diffArrays } from 'diff';

/** `-`: the line is only in the old text; `+`: only in the new one. */
type Line = { mark: ' ' | '-' | '+'; text: string };

const CONTEXT = 3;
/** Where the texts differ in more lines than this, the whole old text is shown as removed and the whole new text as added. */
const MAX_EDITS = 2000;

/** The lines of a unified diff; none where the texts are equal. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = compare(before.split('\n'), after.split('\n'));
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
function compare(before: string[], after: string[]): Line[] {
  const parts = diffArrays(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  return parts.flatMap(({ removed, added, value }) => value.map((text) => ({ mark: removed ? '-' : added ? '+' : ' ', text }) as const));
}
