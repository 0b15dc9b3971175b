import { dayText, momentText, moneyText } from '../language/formats.ts';
import { useShop } from './shop.ts';

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
