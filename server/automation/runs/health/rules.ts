import type { HealthFigures } from '../../../../contract/task-health.ts';

/**
 * Times are counted in buckets, each a tenth wider than the one before: a run adds one row to an index, and no query sorts runs. A percentile
 * is the middle of its bucket, at most 5 percent from the exact one (spec RU25).
 */
const WIDER = 1.1;

/** The number of the bucket of a time; 0 holds what takes less than a millisecond. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : Math.floor(Math.log(ms) / Math.log(WIDER)) + 1;
}

/** The middle of a bucket. */
export function msOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.round(WIDER ** (bucket - 0.5));
}

export type Outcome = 'success' | 'failure' | 'cancelled' | 'other';

/** A client may end its run with a word of its own, and only the client knows whether that is good. */
export function outcomeOf(status: string): Outcome {
  if (status === 'success' || status === 'cancelled') return status;
  return status === 'failed' || status === 'timed_out' || status === 'interrupted' ? 'failure' : 'other';
}

/** So many runs with these times, and what they did. `took` and `waited` are numbers of buckets; null: not measured. */
export type Counted = { outcome: Outcome; took: number | null; runs: number; effects: number; tokens: number };
export type Waits = { waited: number; runs: number };

export function figuresOf(counted: readonly Counted[], waits: readonly Waits[]): HealthFigures {
  const sum = (pick: (one: Counted) => number): number => counted.reduce((total, one) => total + pick(one), 0);
  const of = (outcome: Outcome): number => sum((one) => (one.outcome === outcome ? one.runs : 0));
  const runs = sum((one) => one.runs);
  const [succeeded, failed] = [of('success'), of('failure')];
  const judged = succeeded + failed;
  return {
    ...{ runs, succeeded, failed, cancelled: of('cancelled'), other: of('other') },
    success_rate: judged === 0 ? null : rounded(succeeded / judged, 4),
    duration_ms: timesOf(counted.flatMap(({ took, runs: n }) => (took === null ? [] : [{ bucket: took, n }]))),
    waiting_ms: timesOf(waits.map(({ waited, runs: n }) => ({ bucket: waited, n }))),
    effects_per_run: runs === 0 ? null : rounded(sum((one) => one.effects) / runs, 2),
    tokens_per_run: runs === 0 ? null : rounded(sum((one) => one.tokens) / runs, 2),
  };
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

type Share = { bucket: number; n: number };

function timesOf(shares: readonly Share[]): HealthFigures['duration_ms'] {
  const total = shares.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  const sorted = [...shares].sort((a, b) => a.bucket - b.bucket);
  return { p50: percentile(sorted, total, 0.5), p95: percentile(sorted, total, 0.95) };
}

/** The smallest time that at least this share of the runs did not exceed. */
function percentile(sorted: readonly Share[], total: number, share: number): number {
  let seen = 0;
  const found = sorted.find(({ n }) => {
    seen += n;
    return seen >= share * total;
  });
  return msOf(found?.bucket ?? 0);
}
