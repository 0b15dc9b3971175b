import { useMemo, useState } from 'react';
import { reviewText as t } from '../texts/en/review.ts';
import { type DiffLine, diffLines } from './line-diff.ts';
import './source-diff.css';

/** So many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Fewer lines than this are not worth folding. */
const FOLD_FROM = 4;

type Props = { label: string; before: string; after: string };

/** Two sources line by line; long stretches without a change are folded, and open by a click. */
export function SourceDiff({ label, before, after }: Props) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
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

function Folded({ lines }: { lines: readonly DiffLine[] }) {
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

function Line({ line: { mark, text, before, after } }: { line: DiffLine }) {
  return (
    <tr className={mark === '+' ? 'added' : mark === '-' ? 'removed' : undefined}>
      <td className="line-number">{before}</td>
      <td className="line-number">{after}</td>
      <td className="line-mark">
        <span aria-hidden="true">{mark === '-' ? '−' : mark}</span>
        {mark === ' ' ? null : <span className="visually-hidden">{t.lineMark[mark]}</span>}
      </td>
      <td className="line-text">{text}</td>
    </tr>
  );
}

type Part = { at: number; lines: DiffLine[]; isFolded: boolean };

function partsOf(lines: readonly DiffLine[]): Part[] {
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

function nearChange(lines: readonly DiffLine[]): boolean[] {
  const near = lines.map(() => false);
  lines.forEach(({ mark }, at) => {
    if (mark !== ' ') near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  return near;
}
