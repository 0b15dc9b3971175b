import { decimalText, exponentOf, moneyFormats } from '../contract/money.ts';
import type { ShopFacts } from '../contract/runner.ts';
import type { Clock } from './clock.ts';

const DAY_LENGTH = 10;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A time with its offset. Without one it would be the isolate's time zone that counts, which is nobody's. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i;
const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Makes `shop` from what the claim says of it. */
export function createShop(facts: ShopFacts, clock: Clock): object {
  const format = moneyFormats(facts);

  function dayOf(ms: number): string {
    return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(facts.timezone).toPlainDate().toString();
  }

  return Object.freeze({
    ...facts,
    today: () => dayOf(clock.now()),
    day(date: unknown): string {
      if (typeof date !== 'string' || !DAY.test(date)) return dayOf(timeOf(date));
      if (!isDay(date)) throw noTime();
      return date;
    },
    money: (cents: unknown, currency?: unknown) => format(minor('shop.money', cents), currencyOf('shop.money', currency)),
    decimal: (cents: unknown, currency?: unknown) =>
      decimalText(minor('shop.decimal', cents), exponentOf(currencyOf('shop.decimal', currency), facts)),
    cents: (amount: unknown, currency?: unknown) => toCents(amount, exponentOf(currencyOf('shop.cents', currency), facts)),
  });

  function currencyOf(name: string, currency: unknown = facts.currency): string {
    if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return currency;
    throw new TypeError(`${name}: a currency is three upper-case letters, such as EUR`);
  }
}

function timeOf(date: unknown): number {
  const ms = toMs(date);
  // `Temporal` accepts whole numbers, and as many days as `Date`.
  if (Math.abs(ms) <= 8.64e15) return Math.floor(ms);
  throw noTime();
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

function noTime(): RangeError {
  return new RangeError(
    'shop.day takes a Date, a time in ms, a timestamp with its offset such as 2026-01-05T23:30:00Z, or a day such as 2026-01-05',
  );
}

function toMs(date: unknown): number {
  if (typeof date === 'string') return TIMESTAMP.test(date) && isDay(date.slice(0, DAY_LENGTH)) ? Date.parse(date) : Number.NaN;
  if (date instanceof Date) return date.getTime();
  return typeof date === 'number' ? date : Number.NaN;
}

function minor(name: string, cents: unknown): number {
  if (typeof cents === 'number' && Number.isSafeInteger(cents)) return cents;
  throw new TypeError(
    `${name} takes a whole number of minor units, such as 1999; it got ${typeof cents === 'number' ? cents : typeof cents}`,
  );
}

/** The amount in minor units, exactly: an amount with more decimals than the currency has is refused instead of rounded. */
function toCents(amount: unknown, exponent: number): number {
  const text = typeof amount === 'number' ? String(amount) : amount;
  const [, sign = '', whole = '', digits = ''] = (typeof text === 'string' && AMOUNT.exec(text.trim())) || [];
  if (whole === '') throw new TypeError('shop.cents takes an amount such as "19.99" or 19.99, without a currency');
  const decimals = digits.replace(/0+$/, '');
  if (decimals.length > exponent) throw new RangeError(`shop.cents: ${text} has more than ${exponent} decimals`);
  const cents = Number(whole + decimals.padEnd(exponent, '0'));
  if (!Number.isSafeInteger(cents)) throw new RangeError(`shop.cents: ${text} is too large`);
  return sign === '-' && cents !== 0 ? -cents : cents;
}
