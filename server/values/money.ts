/**
 * Formats money for people, such as `€19.99` (decisions.md G14). The exponent is the shop's, because `Intl` knows no minor units for some
 * currencies that have them (G15).
 */
export function moneyFormat({ locale, currency, exponent }: { locale: string; currency: string; exponent: number }) {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  return (minor: number): string => format.format(decimal(minor, exponent)).replaceAll(/[\u00a0\u202f]/g, ' ');
}

/** The amount as decimal text, which `Intl` formats exactly, without converting it to a float. */
function decimal(minor: number, exponent: number): `${number}` {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const sign = minor < 0 ? '-' : '';
  return `${sign}${whole}.${digits.slice(whole.length)}0` as `${number}`;
}
