/** Money as the shop counts and shows it (spec G14, G15). This file imports nothing, so that the guest code can use its values. */

/** The currencies for which ISO 4217 gives another number of decimals than two; `Intl` differs for some of them (spec G15). */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0])),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

/** The number n of decimals of a currency: its minor unit is 10^-n. */
export function currencyExponent(currency: string): number {
  return Object.hasOwn(EXPONENTS, currency) ? (EXPONENTS[currency] ?? 2) : 2;
}

type Shop = { readonly currency: string; readonly currency_exponent: number };

/** Number of minor digits: for the shop's own currency from the settings, for any other from ISO 4217. */
export function exponentOf(currency: string, shop: Shop): number {
  return currency === shop.currency ? shop.currency_exponent : currencyExponent(currency);
}

/** Formats amounts of any currency for people (spec G14). */
export function moneyFormats(shop: Shop & { readonly locale: string }): (minor: number, currency: string) => string {
  const formats = new Map<string, (minor: number) => string>();
  return (minor, currency) => {
    const format = formats.get(currency) ?? moneyFormat({ locale: shop.locale, currency, exponent: exponentOf(currency, shop) });
    formats.set(currency, format);
    return format(minor);
  };
}

/**
 * Formats money for people, such as `€19.99`. The exponent is the shop's, because `Intl` knows no minor units for some currencies that
 * have them.
 */
export function moneyFormat({ locale, currency, exponent }: { locale: string; currency: string; exponent: number }) {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  // `Intl` formats a decimal text exactly, without converting it to a float.
  return (minor: number): string => format.format(decimalText(minor, exponent)).replaceAll(/[\u00a0\u202f]/g, ' ');
}

/** The amount as decimal text, such as `19.99`. */
export function decimalText(minor: number, exponent: number): `${number}` {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const sign = minor < 0 ? '-' : '';
  return (exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(whole.length)}`) as `${number}`;
}
