/** Basis points of an amount that is not negative, rounded half up (decisions.md 1.11, Money). */
export function percentOf(amount: number, bps: number): number {
  return Number((BigInt(amount) * BigInt(bps) * 2n + 10_000n) / 20_000n);
}
