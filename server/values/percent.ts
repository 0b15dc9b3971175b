/** Basis points of an amount that is not negative, rounded half up (spec O27). */
export function percentOf(amount: number, bps: number): number {
  return Number((BigInt(amount) * BigInt(bps) * 2n + 10_000n) / 20_000n);
}
