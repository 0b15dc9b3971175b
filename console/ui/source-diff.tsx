import { useMemo, useState } from 'react';
import { type DiffLine, diffLines } from '../../contract/line-diff.ts';
import { type LinePart, marksByLine, marksIn, partsOfLine } from '../../contract/source-marks.ts';
import { linesOf } from '../../contract/source-text.ts';
import { reviewText as t } from '../texts/review.ts';
import { MarkedParts } from './marked-text.tsx';
import './source-diff.css';

/** So many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Fewer lines than this are not worth folding. */
const FOLD_FROM = 4;

type Props = { label: string; before: string; after: string };

/**
 * Two sources line by line; long stretches without a change are folded, and open by a click. What cannot be seen is written out, and a line
 * with such a mark is never folded.
 */
export function SourceDiff({ label, before, after }: Props) {
  const lines = useMemo(() => markedLines(before, after), [before, after]);
  const parts = useMemo(() => partsOf(lines), [lines]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className="source-diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {parts.map(({ at, lines: some, isFolded }) =>
            isFolded ? <Folded key={at} lines={some} /> : some.map((line) => <Line key={`${line.before}/${line.after}`} line={line} />),
          )}
        </tbody>
      </table>
    </section>
  );
}

function Folded({ lines }: { lines: readonly MarkedLine[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return lines.map((line) => <Line key={`${line.before}/${line.after}`} line={line} />);
  return (
    <tr className="folded">
      <td colSpan={4}>
        <button type="button" onClick={() => setOpen(true)}>
          ⋯ {t.unchangedLines(lines.length)}
        </button>
      </td>
    </tr>
  );
}

function Line({ line: { mark, text, parts, before, after } }: { line: MarkedLine }) {
  return (
    <tr className={mark === '+' ? 'added' : mark === '-' ? 'removed' : undefined}>
      <td className="line-number">{before}</td>
      <td className="line-number">{after}</td>
      <td className="line-mark">
        <span aria-hidden="true">{mark === '-' ? '−' : mark}</span>
        {mark === ' ' ? null : <span className="visually-hidden">{t.lineMark[mark]}</span>}
      </td>
      <td className="line-text">
        <MarkedParts parts={parts ?? [{ at: 0, text, mark: null }]} />
      </td>
    </tr>
  );
}

type MarkedLine = DiffLine & { parts: LinePart[] | undefined };

function markedLines(before: string, after: string): MarkedLine[] {
  const [old, now] = [partsByLine(before), partsByLine(after)];
  return diffLines(before, after).map((line) => ({
    ...line,
    parts: line.after === null ? old.get((line.before ?? 0) - 1) : now.get(line.after - 1),
  }));
}

/** The parts of the lines that have marks. */
function partsByLine(source: string): Map<number, LinePart[]> {
  const lines = linesOf(source);
  const marks = marksByLine(lines, marksIn(source));
  return new Map([...marks].map(([index, own]) => [index, partsOfLine(lines[index] ?? { text: '', start: 0 }, own)]));
}

type Part = { at: number; lines: MarkedLine[]; isFolded: boolean };

function partsOf(lines: readonly MarkedLine[]): Part[] {
  const isNear = nearChange(lines);
  const parts: Part[] = [];
  lines.forEach((line, at) => {
    const isFolded = !isNear[at];
    const last = parts.at(-1);
    if (last && last.isFolded === isFolded) last.lines.push(line);
    else parts.push({ at, lines: [line], isFolded });
  });
  return parts.map((part) => (part.lines.length < FOLD_FROM ? { ...part, isFolded: false } : part));
}

function nearChange(lines: readonly MarkedLine[]): boolean[] {
  const near = lines.map(() => false);
  lines.forEach(({ mark, parts }, at) => {
    if (mark !== ' ' || parts) near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  return near;
}
