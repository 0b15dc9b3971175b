import type { StartOptions } from '../../../../contract/start-options.ts';

/** How starts become runs, as a form holds it; times are in seconds. */
export type StartValues = {
  how: 'single' | 'debounce' | 'batch';
  seconds: number | null;
  key: string;
  max: number | null;
  delay: number | null;
  ttl: number | null;
  per_minute: number | null;
  rate_key: string;
  overflow: 'queue' | 'skip';
};

const FIRST_SECONDS = 60;
const FIRST_MAX = 100;

export const plainStart: StartValues = {
  ...{ how: 'single', seconds: FIRST_SECONDS, key: '', max: FIRST_MAX, delay: null, ttl: null },
  ...{ per_minute: null, rate_key: '', overflow: 'queue' },
};

const inSeconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1000);
const inMs = (seconds: number | null): number => Math.round((seconds ?? 0) * 1000);

export function startValuesOf({ debounce, batch, delay, ttl, rate }: StartOptions): StartValues {
  return {
    how: debounce ? 'debounce' : batch ? 'batch' : 'single',
    seconds: inSeconds((debounce ?? batch)?.ms) ?? plainStart.seconds,
    key: debounce?.key ?? '',
    max: batch?.max ?? plainStart.max,
    delay: inSeconds(delay),
    ttl: inSeconds(ttl),
    per_minute: rate?.per_minute ?? null,
    rate_key: rate?.key ?? '',
    overflow: rate?.overflow ?? 'queue',
  };
}

/** What is not asked for is left out. */
export function startOf({ how, seconds, key, max, delay, ttl, per_minute, rate_key, overflow }: StartValues): StartOptions {
  const keyOf = (name: string): string | null => (how === 'batch' ? '' : name.trim()) || null;
  return {
    ...(how === 'debounce' && { debounce: { key: keyOf(key), ms: inMs(seconds) } }),
    ...(how === 'batch' && { batch: { max: max ?? 0, ms: inMs(seconds) } }),
    ...(delay !== null && { delay: inMs(delay) }),
    ...(ttl !== null && { ttl: inMs(ttl) }),
    ...(per_minute !== null && { rate: { key: keyOf(rate_key), per_minute, overflow } }),
  };
}
