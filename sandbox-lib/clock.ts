import { prepareOnFirstUse } from './harden.ts';

/** The isolate's global object. In the bundle `globalThis` is another object (runner/bundling.ts). */
declare const realGlobal: typeof globalThis;

/** The script's clock, in ms since 1970. Only answers move it, and never back (spec JO10). */
export type Clock = { now(): number; moveTo(ms: number): void };

export function createClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    moveTo(ms) {
      if (ms > now) now = Math.floor(ms);
    },
  };
}

/** Makes Date and Intl.DateTimeFormat read the script's clock. */
export function installClock(clock: Clock): void {
  installDate(clock);
  prepareOnFirstUse('Intl', () => installIntl(clock));
}

/** Makes Temporal.Now read the script's clock. Called in each new context, because V8 makes Temporal anew there. */
export function installTemporalClock(clock: Clock): void {
  prepareOnFirstUse('Temporal', () => installTemporal(clock));
}

/**
 * `performance` on the script's clock. Its times count from the start of the script's first run, not of an attempt or epoch, which would
 * be another time in each: a script that is resumed must see the same again.
 */
export function createPerformance(clock: Clock, timeOrigin: () => number): object {
  return {
    now: () => clock.now() - timeOrigin(),
    get timeOrigin() {
      return timeOrigin();
    },
    toJSON: () => ({ timeOrigin: timeOrigin() }),
  };
}

function installDate(clock: Clock): void {
  const HostDate = Date;
  function ScriptDate(...args: unknown[]): unknown {
    if (new.target === undefined) return new HostDate(clock.now()).toString();
    return Reflect.construct(HostDate, args.length === 0 ? [clock.now()] : args, new.target);
  }
  redefine(ScriptDate, 'length', 7);
  redefine(ScriptDate, 'name', 'Date');
  redefine(ScriptDate, 'prototype', HostDate.prototype);
  redefine(ScriptDate, 'now', { now: () => clock.now() }.now);
  redefine(ScriptDate, 'parse', HostDate.parse);
  redefine(ScriptDate, 'UTC', HostDate.UTC);
  redefine(HostDate.prototype, 'constructor', ScriptDate);
  redefine(realGlobal, 'Date', ScriptDate);
}

function installTemporal(clock: Clock): void {
  const { Temporal } = realGlobal;
  const instant = (): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(clock.now());
  const zoned = (zone: Temporal.TimeZoneLike = 'UTC'): Temporal.ZonedDateTime => instant().toZonedDateTimeISO(zone);
  const now = {
    timeZoneId: () => 'UTC',
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone?: Temporal.TimeZoneLike) => zoned(zone).toPlainTime(),
  };
  for (const [name, method] of Object.entries(now)) redefine(Temporal.Now, name, method);
}

function installIntl(clock: Clock): void {
  const { prototype } = realGlobal.Intl.DateTimeFormat;
  const hostFormat = Object.getOwnPropertyDescriptor(prototype, 'format')?.get;
  const hostParts = prototype.formatToParts;
  const bound = new WeakMap<object, (date?: unknown) => string>();
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const known = bound.get(this);
      if (known) return known;
      const format: (date: unknown) => string = hostFormat?.call(this);
      const scripted = (date?: unknown): string => format(date === undefined ? clock.now() : date);
      bound.set(this, scripted);
      return scripted;
    },
  });
  redefine(
    prototype,
    'formatToParts',
    {
      formatToParts(this: Intl.DateTimeFormat, date?: number | Date) {
        return hostParts.call(this, date === undefined ? clock.now() : date);
      },
    }.formatToParts,
  );
}

function redefine(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value });
}
