import { isThisYear } from '../ui/days.ts';
import { useShop } from './shop.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Minor units of a currency as people write it; `exponent`: how many of its decimals are kept in minor units. */
export function moneyText(minor: number, currency: string, exponent: number): string {
  const key = `${currency} ${exponent}`;
  let format = formats.get(key);
  if (!format) {
    const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
    format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits });
    formats.set(key, format);
  }
  return format.format(minor / 10 ** exponent);
}

/** Formats amounts of the shop, in its own currency where none is named. */
export function useMoney(): (minor: number, currency?: string) => string {
  const shop = useShop();
  return (minor, currency = shop.currency) => moneyText(minor, currency, shop.currency_exponent);
}

export function Money({ minor, currency }: { minor: number; currency?: string }) {
  return <span className="money">{useMoney()(minor, currency)}</span>;
}

/** A time in the shop's zone; its title is the same in UTC. */
export function Moment({ at, kind = 'minute' }: { at: string; kind?: 'minute' | 'second' | 'day' }) {
  const { timezone } = useShop();
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC`}>
      {momentText(at, timezone, kind)}
    </time>
  );
}

/** A time that only goes with something else. */
export function MutedMoment(moment: Parameters<typeof Moment>[0]) {
  return (
    <span className="muted">
      <Moment {...moment} />
    </span>
  );
}

/** A calendar day `YYYY-MM-DD`, which belongs to no zone. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayText(date)}</time>;
}

export function dayText(date: string): string {
  return momentText(`${date}T00:00:00Z`, 'UTC', 'day');
}

const moments = new Map<string, Intl.DateTimeFormat>();

export function momentText(at: string, timeZone: string, kind: 'minute' | 'second' | 'day'): string {
  const date = new Date(at);
  const isThis = isThisYear(date, timeZone);
  const key = `${timeZone} ${kind} ${isThis}`;
  let format = moments.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      ...(isThis ? {} : { year: 'numeric' }),
      ...(kind === 'day' ? {} : { hour: '2-digit', minute: '2-digit' }),
      ...(kind === 'second' ? { second: '2-digit' } : {}),
    });
    moments.set(key, format);
  }
  return format.format(date);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The time of day in a zone, to the second. */
export function clockText(at: string, timeZone: string): string {
  let format = clocks.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
    clocks.set(timeZone, format);
  }
  return format.format(new Date(at));
}

const UNIT = 1024;
const units = ['B', 'KiB', 'MiB', 'GiB'] as const;

export function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(UNIT)), units.length - 1);
  const amount = bytes / UNIT ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}
