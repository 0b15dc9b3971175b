/** A unit price less a group's discount; the discount is rounded half up per unit (decisions.md 1.11, Money). */
export function groupPrice(unitPrice: number, percentBps: number): number {
  return unitPrice - Number((BigInt(unitPrice) * BigInt(percentBps) * 2n + 10_000n) / 20_000n);
}
