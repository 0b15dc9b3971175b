import type { Settings } from '../resources/settings/domain.ts';
import { moneyFormat } from './money.ts';

type Shop = Pick<Settings, 'currency' | 'currency_exponent' | 'locale'>;

/** Minor units by ISO 4217, for currencies that have not two digits; `Intl` differs for some of them (decisions.md G15). */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** Number of minor digits: for the shop's own currency from the settings, for any other from ISO 4217. */
export function exponentOf(currency: string, shop: Shop): number {
  return currency === shop.currency ? shop.currency_exponent : (EXPONENTS[currency] ?? 2);
}

/** Formats amounts of any currency for people (decisions.md G14). */
export function moneyFormats(shop: Shop): (minor: number, currency: string) => string {
  const formats = new Map<string, (minor: number) => string>();
  return (minor, currency) => {
    const format = formats.get(currency) ?? moneyFormat({ locale: shop.locale, currency, exponent: exponentOf(currency, shop) });
    formats.set(currency, format);
    return format(minor);
  };
}

/** Converts an amount from minor units with `from` digits to minor units with `to` digits, rounding half up. */
export function rescale(amount: number, from: number, to: number): number {
  return to >= from ? amount * 10 ** (to - from) : Math.round(amount / 10 ** (from - to));
}
