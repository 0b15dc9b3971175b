import type { Clock } from './clock.ts';
import { formatLine } from './log-format.ts';

type Log = (...values: unknown[]) => void;

/** Makes the `console` of scripts. Every method that shows values writes to the run's log; times are those of the script's clock. */
export function createConsole(log: Log, clock: Clock): object {
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  const silent = (): void => {};
  const print = (...values: unknown[]): void => log(...formatted(values));
  const timer = (label: unknown, ...values: unknown[]): void => {
    const start = starts.get(String(label));
    if (start === undefined) log(`there is no timer ${JSON.stringify(String(label))}`);
    else log(`${String(label)}: ${clock.now() - start}ms`, ...values);
  };
  return Object.freeze({
    log: print,
    info: print,
    warn: print,
    error: print,
    debug: print,
    trace: print,
    dir: (value: unknown) => log(value),
    table: (value: unknown) => log(value),
    group: print,
    groupCollapsed: print,
    groupEnd: silent,
    assert(condition: unknown, ...values: unknown[]): void {
      if (!condition) log('Assertion failed', ...formatted(values));
    },
    count(label: unknown = 'default'): void {
      const key = String(label);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      log(`${key}: ${count}`);
    },
    countReset(label: unknown = 'default'): void {
      counts.delete(String(label));
    },
    time(label: unknown = 'default'): void {
      starts.set(String(label), clock.now());
    },
    timeLog: (label: unknown = 'default', ...values: unknown[]) => timer(label, ...values),
    timeEnd(label: unknown = 'default'): void {
      timer(label);
      starts.delete(String(label));
    },
  });
}

/** Puts values into the places of a text that begins the list, as the Console standard and Node do: `%s of %d`. */
function formatted(values: readonly unknown[]): unknown[] {
  const [text, ...rest] = values;
  if (typeof text !== 'string' || rest.length === 0 || !text.includes('%')) return [...values];
  let used = 0;
  const filled = text.replace(/%[%sdifjoOc]/g, (place) => {
    if (place === '%%') return '%';
    if (used >= rest.length) return place;
    used += 1;
    return inPlace(place, rest[used - 1]);
  });
  return [filled, ...rest.slice(used)];
}

function inPlace(place: string, value: unknown): string {
  if (place === '%c') return '';
  if (place === '%s') return formatLine([value]);
  if (place === '%j') return asJson(value);
  if (place === '%o' || place === '%O') return typeof value === 'string' ? JSON.stringify(value) : formatLine([value]);
  if (typeof value === 'bigint' && place !== '%f') return `${value}n`;
  return asNumber(place, value);
}

function asNumber(place: string, value: unknown): string {
  if (typeof value === 'symbol') return 'NaN';
  try {
    const number = place === '%d' ? Number(value) : place === '%i' ? Number.parseInt(String(value), 10) : Number.parseFloat(String(value));
    return formatLine([number]);
  } catch {
    return 'NaN';
  }
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return formatLine([value]);
  }
}
