/** ISO 4217's exceptions from two decimals; `Intl` says otherwise of some (decisions.md G15). */
const EXPONENTS: readonly (readonly [exponent: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** Decimals of a currency: the minor unit is 10^-n of it. */
export function currencyExponent(currency: string): number {
  return EXPONENTS.find(([, currencies]) => currencies.split(' ').includes(currency))?.[0] ?? 2;
}
