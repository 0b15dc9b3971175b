/** The currencies for which ISO 4217 gives another number of decimals than two; `Intl` differs for some of them (decisions.md G15). */
const EXPONENTS: readonly (readonly [exponent: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** The number n of decimals of a currency: its minor unit is 10^-n. */
export function currencyExponent(currency: string): number {
  return EXPONENTS.find(([, currencies]) => currencies.split(' ').includes(currency))?.[0] ?? 2;
}
