import type { ErrorItem } from '../../../contract/errors.ts';
import { DEBOUNCE_TIMES, StartOptions } from '../../../contract/start-options.ts';

export type How = 'single' | 'debounce' | 'batch';

export function howOf({ debounce, batch }: StartOptions): How {
  if (debounce) return 'debounce';
  return batch ? 'batch' : 'single';
}

/** Whether a start with these options may have to wait. */
export function mayWait({ debounce, batch, delay, rate }: StartOptions): boolean {
  return debounce !== undefined || batch !== undefined || delay !== undefined || rate !== undefined;
}

export function optionsOf({ start_options }: { start_options: string }): StartOptions {
  return StartOptions.parse(JSON.parse(start_options));
}

/** When a start opens, or its turn comes, that began at `firstMs` and was joined last at `lastMs`. */
export function dueMsOf({ debounce, batch, delay = 0 }: StartOptions, { firstMs, lastMs }: { firstMs: number; lastMs: number }): number {
  if (debounce) return Math.min(lastMs + debounce.ms, firstMs + DEBOUNCE_TIMES * debounce.ms) + delay;
  return firstMs + (batch?.ms ?? 0) + delay;
}

/** `isKey`: returns what is wrong with the name of a key; null: nothing. `at`: the pointer to the options. */
export function startErrors(options: StartOptions, isKey: (name: string) => string | null, at = '/start'): ErrorItem[] {
  const { debounce, batch, delay = 0, ttl, rate } = options;
  const refuse = (pointer: string, detail: string): ErrorItem => ({
    pointer: at + pointer,
    parameter: null,
    code: 'invalid_value',
    detail,
  });
  const errors: ErrorItem[] = [];
  if (debounce && batch) errors.push(refuse('/batch', 'goes without "debounce": one run gets either the last or all of them'));
  if (batch && (rate?.key ?? null) !== null)
    errors.push(refuse('/rate/key', 'must be null with "batch", because those of one batch may have different values'));
  for (const name of ['debounce', 'rate'] as const) {
    const key = options[name]?.key ?? null;
    const fault = key === null ? null : isKey(key);
    if (fault !== null) errors.push(refuse(`/${name}/key`, fault));
  }
  const waits = (debounce?.ms ?? 0) + delay;
  if (ttl !== undefined && ttl <= waits)
    errors.push(refuse('/ttl', `must be more than ${waits}, because nothing opens before: "ms" of "debounce" and "delay" come first`));
  return errors;
}
