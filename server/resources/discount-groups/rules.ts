/** A unit price in minor units less a group's discount, rounded half up (decisions.md 1.11, Money). */
export function groupPrice(unitPrice: number, percentBps: number): number {
  return Number((BigInt(unitPrice) * BigInt(10_000 - percentBps) * 2n + 10_000n) / 20_000n);
}
