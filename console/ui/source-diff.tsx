import { Fragment, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { type DiffLine, diffLines } from '../../contract/line-diff.ts';
import { type LinePart, marksByLine, marksIn, partsOfLine } from '../../contract/source-marks.ts';
import { linesOf } from '../../contract/source-text.ts';
import type { Colour } from '../editor/source-colours.ts';
import { reviewText as t } from '../texts/review.ts';
import { ColouredLine, useColours } from './coloured-line.tsx';
import './source-diff.css';

/** So many unchanged lines are shown around a change. */
const CONTEXT = 3;
/** Fewer lines than this are not worth folding. */
const FOLD_FROM = 4;

/** What is said about lines of the second source, from 1. */
export type LineNotes = {
  /** Lines with something beneath them, which are never folded. */
  has(line: number): boolean;
  beneath(line: number): ReactNode;
  /** Begins to say something about a line; left out where nobody may. */
  start?(line: number): void;
};

type Props = { label: string; before: string; after: string; notes?: LineNotes };

/**
 * Two sources line by line, in colours; long stretches without a change are folded, and open by a click. What cannot be seen is written out,
 * and a line with such a mark is never folded.
 */
export function SourceDiff({ label, before, after, notes }: Props) {
  const lines = useMemo(() => markedLines(before, after), [before, after]);
  const colours = { before: useColours(before), after: useColours(after) };
  const parts = partsOf(lines, notes);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const body = useRef<HTMLTableSectionElement>(null);
  // One of the numbers can be reached by Tab; the arrow keys go from there.
  const first = parts
    .flatMap((part) => (part.isFolded && !unfolded.has(part.at) ? [] : part.lines))
    .find((line) => line.after !== null)?.after;
  const [reached, setReached] = useState<number | null>(null);
  const row = (line: MarkedLine) => {
    const own = line.after === null ? undefined : notes?.beneath(line.after);
    return (
      <Fragment key={`${line.before}/${line.after}`}>
        <Line
          line={line}
          colours={line.after === null ? colours.before.get((line.before ?? 0) - 1) : colours.after.get(line.after - 1)}
          start={notes?.start}
          isReached={line.after === (reached ?? first)}
          onReach={setReached}
        />
        {own ? (
          <tr className="line-note">
            <td colSpan={4}>{own}</td>
          </tr>
        ) : null}
      </Fragment>
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className="source-diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody ref={body} onKeyDown={(event) => goByArrows(event, body.current)}>
          {parts.map(({ at, lines: some, isFolded }) =>
            isFolded && !unfolded.has(at) ? (
              <Folded key={at} count={some.length} open={() => setUnfolded(new Set([...unfolded, at]))} />
            ) : (
              some.map(row)
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

/** From one number of a line to the next. */
function goByArrows(event: KeyboardEvent, body: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const numbers = [...(body?.querySelectorAll<HTMLElement>('.line-start') ?? [])];
  const at = event.target instanceof HTMLElement ? numbers.indexOf(event.target) : -1;
  if (step === undefined || at === -1) return;
  event.preventDefault();
  numbers[at + step]?.focus();
}

function Folded({ count, open }: { count: number; open(): void }) {
  return (
    <tr className="folded">
      <td colSpan={4}>
        <button type="button" onClick={open}>
          ⋯ {t.unchangedLines(count)}
        </button>
      </td>
    </tr>
  );
}

type LineProps = {
  line: MarkedLine;
  colours: readonly Colour[] | undefined;
  start: LineNotes['start'] | undefined;
  isReached: boolean;
  onReach(line: number): void;
};

function Line({ line: { mark, text, parts, before, after }, colours, start, isReached, onReach }: LineProps) {
  return (
    <tr className={mark === '+' ? 'added' : mark === '-' ? 'removed' : undefined}>
      <td className="line-number">{before}</td>
      <td className="line-number">
        {start && after !== null ? (
          <button
            type="button"
            className="line-start"
            tabIndex={isReached ? 0 : -1}
            aria-label={t.commentOn(after)}
            title={t.commentOn(after)}
            onFocus={() => onReach(after)}
            onClick={() => start(after)}
          >
            {after}
          </button>
        ) : (
          after
        )}
      </td>
      <td className="line-mark">
        <span aria-hidden="true">{mark === '-' ? '−' : mark}</span>
        {mark === ' ' ? null : <span className="visually-hidden">{t.lineMark[mark]}</span>}
      </td>
      <td className="line-text">
        <ColouredLine parts={parts ?? [{ at: 0, text, mark: null }]} colours={colours} />
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

function partsOf(lines: readonly MarkedLine[], notes: LineNotes | undefined): Part[] {
  const isNear = nearChange(lines, notes);
  const parts: Part[] = [];
  lines.forEach((line, at) => {
    const isFolded = !isNear[at];
    const last = parts.at(-1);
    if (last && last.isFolded === isFolded) last.lines.push(line);
    else parts.push({ at, lines: [line], isFolded });
  });
  return parts.map((part) => (part.lines.length < FOLD_FROM ? { ...part, isFolded: false } : part));
}

function nearChange(lines: readonly MarkedLine[], notes: LineNotes | undefined): boolean[] {
  const near = lines.map(() => false);
  lines.forEach(({ mark, parts, after }, at) => {
    const isKept = mark !== ' ' || parts || (after !== null && notes?.has(after));
    if (isKept) near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  return near;
}
