import { useEffect, useMemo, useState } from 'react';
import type { LinePart } from '../../contract/source-marks.ts';
import { linesOf } from '../../contract/source-text.ts';
import type { Colour } from '../editor/source-colours.ts';
import { MarkedParts } from './marked-text.tsx';

/** The colours of the lines of a source: by the index of the line, with their places in it. */
export type LineColours = ReadonlyMap<number, readonly Colour[]>;

const NONE: LineColours = new Map();

/** The parser is loaded when a source is first shown; until then, and where it cannot be loaded, the source has no colours. */
export function useColours(source: string): LineColours {
  const [colours, setColours] = useState<readonly Colour[]>([]);
  useEffect(() => {
    let isGone = false;
    setColours([]);
    import('../editor/source-colours.ts').then(
      ({ coloursOf }) => {
        if (!isGone) setColours(coloursOf(source));
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [source]);
  return useMemo(() => (colours.length === 0 ? NONE : byLine(source, colours)), [source, colours]);
}

/** Each colour in the lines that it reaches over. */
function byLine(source: string, colours: readonly Colour[]): LineColours {
  const found = new Map<number, Colour[]>();
  let first = 0;
  linesOf(source).forEach(({ text, start }, index) => {
    const end = start + text.length;
    while ((colours[first]?.to ?? Number.POSITIVE_INFINITY) <= start) first += 1;
    const own: Colour[] = [];
    for (let at = first; (colours[at]?.from ?? Number.POSITIVE_INFINITY) < end; at += 1) {
      const { from, to, className } = colours[at] as Colour;
      own.push({ from: Math.max(from, start) - start, to: Math.min(to, end) - start, className });
    }
    if (own.length > 0) found.set(index, own);
  });
  return found;
}

/** A line in its colours. What is marked keeps its mark, and every character of the line is there. */
export function ColouredLine({ parts, colours = [] }: { parts: readonly LinePart[]; colours: readonly Colour[] | undefined }) {
  if (colours.length === 0) return <MarkedParts parts={parts} />;
  return parts.flatMap((part) =>
    part.mark
      ? [<MarkedParts key={`${part.at} ${part.mark.message}`} parts={[part]} />]
      : piecesOf(part, colours).map(({ at, text, className }) => {
          const piece = <MarkedParts key={at} parts={[{ at, text, mark: null }]} />;
          return className === null ? (
            piece
          ) : (
            <span key={at} className={className}>
              {piece}
            </span>
          );
        }),
  );
}

type Piece = { at: number; text: string; className: string | null };

function piecesOf({ at: start, text }: LinePart, colours: readonly Colour[]): Piece[] {
  const end = start + text.length;
  const pieces: Piece[] = [];
  let at = start;
  const take = (to: number, className: string | null): void => {
    if (to > at) pieces.push({ at, text: text.slice(at - start, to - start), className });
    at = Math.max(at, to);
  };
  for (const { from, to, className } of colours) {
    if (to <= at || from >= end) continue;
    take(Math.min(from, end), null);
    take(Math.min(to, end), className);
  }
  take(end, null);
  return pieces;
}
