import { type DiffLine, diffLines } from '../contract/line-diff.ts';
import { shownLines } from '../contract/source-marks.ts';

const CONTEXT = 3;

/** The lines of a unified diff, with what a reader could not see written out; none where the texts are equal. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = diffLines(before, after);
  const [old, now] = [shownLines(before), shownLines(after)];
  const shown = lines.map((_, at) => lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ mark }) => mark !== ' '));
  const out: string[] = [];
  let [oldLine, newLine] = [1, 1];
  lines.forEach(({ mark, before: inOld, after: inNew }, at) => {
    if (shown[at] && !shown[at - 1]) {
      const next = shown.indexOf(false, at);
      const hunk = lines.slice(at, next < 0 ? undefined : next);
      const count = (without: DiffLine['mark']) => hunk.filter((line) => line.mark !== without).length;
      // Only an empty text has no line in a hunk.
      const place = (first: number, lines: number): string => `${lines === 0 ? 0 : first},${lines}`;
      out.push(`@@ -${place(oldLine, count('+'))} +${place(newLine, count('-'))} @@`);
    }
    if (shown[at]) out.push(`${mark}${(inNew === null ? old[(inOld ?? 0) - 1] : now[inNew - 1]) ?? ''}`);
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  });
  return out;
}
