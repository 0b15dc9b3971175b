/** Converts an amount from minor units with `from` digits to minor units with `to` digits, rounding half up. */
export function rescale(amount: number, from: number, to: number): number {
  return to >= from ? amount * 10 ** (to - from) : Math.round(amount / 10 ** (from - to));
}
