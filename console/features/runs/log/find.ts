import type { RunFeed } from './feed.ts';
import type { Spot } from './highlights.ts';

/** More than that nobody goes through; the count then says "100,000+". */
export const HITS_MAX = 100_000;

export type Found = {
  /** Where each hit begins, by chunk. */
  hits: readonly (readonly number[])[];
  count: number;
  length: number;
};

const searched = new WeakMap<object, { text: string; upTo: number; hits: number[] }>();

/** Finds a text in the log, in capitals or not. What was searched before is searched no further than its new lines. */
export function findInLog({ chunks }: RunFeed, typed: string): Found {
  const hits: number[][] = [];
  let count = 0;
  const wanted = typed.trim();
  if (wanted === '') return { hits, count, length: 0 };
  const pattern = new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  for (const chunk of chunks) {
    if (count >= HITS_MAX) break;
    const before = searched.get(chunk);
    const known = before?.text === wanted ? before : { text: wanted, upTo: 0, hits: [] };
    pattern.lastIndex = known.upTo;
    for (let match = pattern.exec(chunk.text); match; match = pattern.exec(chunk.text)) known.hits.push(match.index);
    // Only whole lines are appended, so no hit can begin before what comes next.
    known.upTo = chunk.text.length;
    searched.set(chunk, known);
    hits.push(known.hits);
    count += known.hits.length;
  }
  return { hits, count: Math.min(count, HITS_MAX), length: wanted.length };
}

/** The place of the nth hit. */
export function spotOfHit({ hits, length }: Found, n: number): Spot | null {
  let before = 0;
  for (const [chunk, starts] of hits.entries()) {
    const from = starts[n - before];
    if (from !== undefined) return { chunk, from, to: from + length };
    before += starts.length;
  }
  return null;
}

/** Which hit is the first at or after a place. */
export function hitFrom({ hits, count }: Found, spot: Spot | null): number {
  if (!spot || count === 0) return 0;
  let before = 0;
  for (const [chunk, starts] of hits.entries()) {
    if (chunk >= spot.chunk) {
      const index = chunk === spot.chunk ? starts.findIndex((from) => from >= spot.from) : starts.length > 0 ? 0 : -1;
      if (index !== -1) return before + index;
    }
    before += starts.length;
  }
  return 0;
}
