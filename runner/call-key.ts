import { hash } from 'node:crypto';
import type { Json } from '../contract/run-events.ts';

/** Deeper values are refused: recursion over a hostile script's value must not exhaust the daemon's stack. */
const MAX_DEPTH = 200;

/** JSON text with sorted keys: the same for equal values. Throws RangeError for a value nested too deep. */
export function canonicalJson(value: Json, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError(`the value is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** What makes two calls of a run the same call (automation.md §5). */
export function callFingerprint(method: string, path: string, body: Json | undefined): string {
  return sha256(`${method}\n${path}\n${body === undefined ? '' : canonicalJson(body)}`);
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Seed of an epoch's random numbers, from the lineage's secret. */
export function epochSeed(lineageSeed: string, epoch: number): string {
  return sha256(`${lineageSeed}/${epoch}`);
}

/** Names the calls of one epoch: the epoch, what is called, and how often it was before. */
export type EpochKeys = {
  epoch: number;
  /** `<epoch>/<fingerprint>/<occurrence>`. */
  next(fingerprint: string): string;
  /** How often this name was asked before in this epoch. */
  occurrence(name: string): number;
  /** How many calls were named so far. */
  count(): number;
  /** Those after so many, as `<fingerprint>/<occurrence>`. */
  since(count: number): string[];
  /** Counts calls of these names that this attempt does not make. */
  skip(keys: readonly string[]): void;
};

export function createEpochKeys(epoch: number): EpochKeys {
  const seen = new Map<string, number>();
  const occurrence = (name: string): number => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count;
  };
  const named: string[] = [];
  return {
    epoch,
    occurrence,
    next(fingerprint) {
      const key = `${fingerprint}/${occurrence(fingerprint)}`;
      named.push(key);
      return `${epoch}/${key}`;
    },
    count: () => named.length,
    since: (count) => named.slice(count),
    skip(keys) {
      for (const key of keys) occurrence(key.slice(0, key.indexOf('/')));
    },
  };
}
