import { language } from './language.ts';

/** How numbers, money, sizes and times are written: everything that the console shows of them is made here. */

const numberTag = language;
/** English dates have the day before the month, as in most shops. */
const dateTag = language === 'en' ? 'en-GB' : language;

const made = new Map<string, Intl.NumberFormat>();

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = made.get(key) ?? new Intl.NumberFormat(numberTag, options);
  made.set(key, format);
  return format;
}

export const countText = (count: number): string => numbers({}).format(count);

/** What stands before the decimals of a number: `.` or `,`. */
export const decimalMark =
  numbers({})
    .formatToParts(0.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.';

/** With its sign, unless it is 0: `+3`. */
export const signedText = (count: number): string => numbers({ signDisplay: 'exceptZero' }).format(count);

const WHOLE_BPS = 10_000;

/** Basis points, such as 1900, as people say them: `19%`. */
export const percentText = (basisPoints: number): string =>
  numbers({ style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / WHOLE_BPS);

const plurals = new Intl.PluralRules(numberTag);

/** Whether the language puts a word into its singular after the number. */
export const isOne = (count: number): boolean => plurals.select(count) === 'one';

/** A number with its word: `1 order`, `1,964 orders`. */
export const counted = (count: number, one: string, many: string): string => `${countText(count)} ${isOne(count) ? one : many}`;

/**
 * Minor units of a currency as people write it; `exponent`: how many of its decimals are kept in minor units. `isOfScale`: decimals are
 * left out where there are none.
 */
export function moneyText(minor: number, currency: string, exponent: number, isOfScale = false): string {
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  const zeros = isOfScale ? ({ trailingZeroDisplay: 'stripIfInteger' } as const) : {};
  return numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits, ...zeros }).format(minor / 10 ** exponent);
}

/** A change as a share of what was before: `+12 %`. */
export const changeText = (share: number): string =>
  numbers({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(share);

const UNIT = 1024;
const units = ['B', 'KB', 'MB', 'GB'] as const;
const WHOLE_FROM = 100;

/** A size in the largest unit in which it is at least 1: `1.5 MB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(UNIT)), units.length - 1);
  const amount = bytes / UNIT ** power;
  const digits = power === 0 || amount >= WHOLE_FROM ? 0 : 1;
  return `${numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount)} ${units[power]}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'floor' } as const;

/** A stretch of time in two units at most: `3.4 s`, `2 min 5 s`, `1 h 3 min`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${countText(Math.max(0, Math.round(ms)))} ms`;
  if (ms < MINUTE) return `${numbers(TENTHS).format(ms / SECOND)} s`;
  if (ms < HOUR) return `${countText(Math.floor(ms / MINUTE))} min ${countText(Math.floor((ms % MINUTE) / SECOND))} s`;
  return `${countText(Math.floor(ms / HOUR))} h ${countText(Math.floor((ms % HOUR) / MINUTE))} min`;
}

/** The same of what goes on, in whole seconds. */
export function goingText(ms: number): string {
  return ms < MINUTE ? `${countText(Math.max(0, Math.floor(ms / SECOND)))} s` : durationText(ms);
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** A time as the options say, in the language of the page. */
export function dateText(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = dates.get(key) ?? new Intl.DateTimeFormat(dateTag, options);
  dates.set(key, format);
  return format.format(date);
}

const years = new Map<string, Intl.DateTimeFormat>();

/** Whether a time is in the present year of a time zone. */
export function isThisYear(date: Date, timeZone: string): boolean {
  const year = years.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' });
  years.set(timeZone, year);
  return year.format(date) === year.format(Date.now());
}

/** A time in a zone; its year is told unless it is the present one. */
export function momentText(at: string, timeZone: string, kind: 'minute' | 'second' | 'day'): string {
  const date = new Date(at);
  return dateText(date, {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(isThisYear(date, timeZone) ? {} : { year: 'numeric' }),
    ...(kind === 'day' ? {} : { hour: '2-digit', minute: '2-digit' }),
    ...(kind === 'second' ? { second: '2-digit' } : {}),
  });
}

/** A calendar day `YYYY-MM-DD`, which belongs to no zone. */
export const dayText = (day: string): string => momentText(`${day}T00:00:00Z`, 'UTC', 'day');

/** The short name of the weekday of a calendar day. */
export const weekdayText = (day: string): string => dateText(new Date(`${day}T00:00:00Z`), { timeZone: 'UTC', weekday: 'short' });

/** The time of day in a zone, to the second. */
export const clockText = (at: string, timeZone: string): string =>
  dateText(new Date(at), { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Orders texts as a reader of the language expects them. */
export const { compare } = new Intl.Collator(language);
