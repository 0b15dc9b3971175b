import type { RunCall } from '../queries.ts';

export type Bar = { call: RunCall; lane: number; from: number; width: number };
export type Fold = { from: number; ms: number };
export type Lanes = { bars: readonly Bar[]; folds: readonly Fold[]; lanes: number; ms: number };

/** The width of the whole picture, and of a stretch without any call, in units of its own. */
export const WIDTH = 1000;
export const FOLD_WIDTH = 16;
const LEAST_WIDTH = 2;
/** A stretch is folded when it is longer than this share of the time in which calls were under way, between these bounds. */
const IDLE_SHARE = 0.1;
const IDLE_LEAST_MS = 500;
const IDLE_MOST_MS = 2000;

type Timed = { call: RunCall; from: number; to: number };

/** Places calls by their time: those that overlap are in lanes of their own, and long stretches without any are folded. */
export function layLanes(calls: readonly RunCall[]): Lanes {
  const timed = calls
    .map((call): Timed => ({ call, from: Date.parse(call.at), to: Date.parse(call.at) + (call.duration_ms ?? 0) }))
    .sort((a, b) => a.from - b.from);
  const busy = busyStretches(timed);
  const busyMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const stretches = joinShortGaps(busy, Math.min(IDLE_MOST_MS, Math.max(IDLE_LEAST_MS, busyMs * IDLE_SHARE)));
  const shownMs = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  const scale = (WIDTH - FOLD_WIDTH * (stretches.length - 1)) / Math.max(1, shownMs);

  const folds: Fold[] = [];
  const starts: number[] = [];
  let x = 0;
  for (const [index, { from, to }] of stretches.entries()) {
    const before = stretches[index - 1];
    if (before) {
      folds.push({ from: x, ms: from - before.to });
      x += FOLD_WIDTH;
    }
    starts.push(x);
    x += (to - from) * scale;
  }
  const ends: number[] = [];
  const bars = timed.map(({ call, from, to }): Bar => {
    const at = stretches.findLastIndex((stretch) => stretch.from <= from);
    const begin = (starts[at] ?? 0) + (from - (stretches[at]?.from ?? from)) * scale;
    const free = ends.findIndex((end) => end <= from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = to;
    return { call, lane, from: Math.min(begin, WIDTH - LEAST_WIDTH), width: Math.max(LEAST_WIDTH, (to - from) * scale) };
  });
  const [first] = stretches;
  const last = stretches.at(-1);
  return { bars, folds, lanes: Math.max(1, ends.length), ms: first && last ? last.to - first.from : 0 };
}

type Stretch = { from: number; to: number };

function busyStretches(timed: readonly Timed[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { from, to } of timed) {
    const last = stretches.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  return stretches;
}

function joinShortGaps(stretches: readonly Stretch[], longestMs: number): Stretch[] {
  const joined: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = joined.at(-1);
    if (last && from - last.to <= longestMs) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}
