import { hash } from 'node:crypto';
import type { Json } from '../contract/run-events.ts';

/** More deeply nested values are refused: recursion over a hostile script's value must not exhaust the daemon's stack. */
const MAX_DEPTH = 200;

/** JSON text with sorted keys, so that equal values give equal text. Throws a RangeError for a value nested too deeply. */
export function canonicalJson(value: Json, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError(`the value is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 of method, path with query and canonical body. Two calls of a run with one fingerprint are identical (spec JO3). */
export function callFingerprint(method: string, path: string, body: Json | undefined): string {
  return sha256(`${method}\n${path}\n${body === undefined ? '' : canonicalJson(body)}`);
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The seed of an epoch's random numbers, derived from the lineage's secret seed. */
export function epochSeed(lineageSeed: string, epoch: number): string {
  return sha256(`${lineageSeed}/${epoch}`);
}

/** Makes the journal keys of the calls of one epoch (spec JO3). */
export type EpochKeys = {
  epoch: number;
  /** The key of the next call with this fingerprint: `<epoch>/<fingerprint>/<occurrence>`. */
  next(fingerprint: string): string;
  /** How many keys `next` has made so far. */
  count(): number;
  /** The keys made after the first `count` ones, as `<fingerprint>/<occurrence>`. */
  since(count: number): string[];
  /** Counts these calls (`<fingerprint>/<occurrence>`) as made, although this attempt does not make them. */
  skip(keys: readonly string[]): void;
  /** The name of the last `once` whose calls a later attempt skips; empty: there was none in this epoch. */
  section: string;
};

export function createEpochKeys(epoch: number): EpochKeys {
  const seen = new Map<string, number>();
  const occurrence = (fingerprint: string): number => {
    const count = seen.get(fingerprint) ?? 0;
    seen.set(fingerprint, count + 1);
    return count;
  };
  const named: string[] = [];
  return {
    epoch,
    section: '',
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
