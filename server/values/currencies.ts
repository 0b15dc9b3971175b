import type { Settings } from '../resources/settings/domain.ts';
import { moneyFormat } from './money.ts';

type Shop = Pick<Settings, 'currency' | 'currency_exponent' | 'locale'>;

/** ISO 4217's minor units where they are not two digits; `Intl` has other figures for some (decisions.md G15). */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** Of the shop's own currency as its settings say, of any other as ISO says. */
export function exponentOf(currency: string, shop: Shop): number {
  return currency === shop.currency ? shop.currency_exponent : (EXPONENTS[currency] ?? 2);
}

/** Amounts of any currency as people read them (decisions.md G14). */
export function moneyFormats(shop: Shop): (minor: number, currency: string) => string {
  const formats = new Map<string, (minor: number) => string>();
  return (minor, currency) => {
    const format = formats.get(currency) ?? moneyFormat({ locale: shop.locale, currency, exponent: exponentOf(currency, shop) });
    formats.set(currency, format);
    return format(minor);
  };
}

/** An amount in minor units of which a whole has `from` digits, in units of which it has `to`; half up. */
export function rescale(amount: number, from: number, to: number): number {
  return to >= from ? amount * 10 ** (to - from) : Math.round(amount / 10 ** (from - to));
}
