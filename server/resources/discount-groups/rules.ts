import { percentOf } from '../../values/percent.ts';

/** A unit price in minor units less a group's discount, rounded half up (spec O27). */
export function groupPrice(unitPrice: number, percentBps: number): number {
  return percentOf(unitPrice, 10_000 - percentBps);
}
