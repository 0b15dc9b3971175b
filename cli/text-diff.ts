/** `-` is in the old text alone, `+` in the new one alone. */
type Line = { mark: ' ' | '-' | '+'; text: string };

const CONTEXT = 3;
/** Texts that differ in more lines than this are shown as one exchanged for the other. */
const MAX_EDITS = 2000;

/** The hunks of a unified diff; none where the texts are the same. */
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

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, head)),
    ...edits(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** Myers' shortest edit script: `reached[d]` has how far each diagonal comes with d edits. */
function edits(before: readonly string[], after: readonly string[]): Line[] {
  const reached: Map<number, number>[] = [];
  for (let d = 0; d <= Math.min(MAX_EDITS, before.length + after.length); d++) {
    const last = reached.at(-1) ?? new Map([[1, 0]]);
    const row = new Map<number, number>();
    reached.push(row);
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(last, k, d) ? (last.get(k + 1) ?? 0) : (last.get(k - 1) ?? 0) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      row.set(k, x);
      if (x >= before.length && x - k >= after.length) return walkBack(before, after, reached);
    }
  }
  return [...before.map((text) => ({ mark: '-', text }) as const), ...after.map((text) => ({ mark: '+', text }) as const)];
}

function isDown(last: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (last.get(k - 1) ?? -1) < (last.get(k + 1) ?? -1));
}

function walkBack(before: readonly string[], after: readonly string[], reached: readonly Map<number, number>[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let d = reached.length - 1; d >= 0; d--) {
    const last = reached[d - 1] ?? new Map([[1, 0]]);
    const k = x - y;
    const down = isDown(last, k, d);
    const fromK = down ? k + 1 : k - 1;
    const fromX = last.get(fromK) ?? 0;
    const [startX, startY] = d === 0 ? [0, 0] : down ? [fromX, fromX - fromK + 1] : [fromX + 1, fromX - fromK];
    for (; x > startX && y > startY; x--, y--) lines.push({ mark: ' ', text: before[x - 1] ?? '' });
    if (d === 0) break;
    if (down) lines.push({ mark: '+', text: after[--y] ?? '' });
    else lines.push({ mark: '-', text: before[--x] ?? '' });
  }
  return lines.reverse();
}
