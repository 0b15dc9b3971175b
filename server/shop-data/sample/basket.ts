import type { StockedVariant } from './products.ts';
import type { Random } from './random.ts';

export type Basket = { variant: StockedVariant; quantity: number }[];

/** How many different variants are in a basket, with the weight of each number. */
const SIZES = { 1: 22, 2: 23, 3: 20, 4: 14, 5: 10, 6: 6, 7: 5 } as const;

/** Returns a function that fills the basket of one order. Archived products were sold in the shop's first year only. */
export function basketPicker(stocked: readonly StockedVariant[], yearOneEndsMs: number) {
  const plans = stocked.filter(({ product }) => product.subscription && product.status !== 'draft');
  const sold = stocked.filter(({ product }) => product.status !== 'draft');
  const byMonth = Array.from({ length: 12 }, (_, month) => {
    let sum = 0;
    return sold.map(({ product, popularity }) => (sum += popularity * seasonOf(product.season, month)));
  });
  return (random: Random, atMs: number, { isB2b, subscribes }: { isB2b: boolean; subscribes: boolean }): Basket => {
    const sums = byMonth[new Date(atMs).getUTCMonth()] ?? [];
    const wanted = Number(random.weighted(SIZES));
    const basket: Basket = [];
    const plan = subscribes ? plans[random.int(0, plans.length - 1)] : undefined;
    if (plan) basket.push({ variant: plan, quantity: 1 });
    for (let tries = 0; basket.length < wanted && tries < 20; tries++) {
      const variant = sold[find(sums, random.next() * (sums.at(-1) ?? 0))];
      if (!variant || (variant.product.status === 'archived' && atMs > yearOneEndsMs)) continue;
      if (basket.some(({ variant: { id } }) => id === variant.id)) continue;
      if (basket.length > 0 && variant.product.subscription) continue;
      const quantity = isB2b ? random.int(2, 8) : random.chance(0.85) ? 1 : random.int(2, 4);
      basket.push({ variant, quantity: variant.product.subscription || variant.price > 10_000 ? 1 : quantity });
    }
    return basket;
  };
}

function seasonOf(season: 'winter' | 'summer' | 'gift' | undefined, month: number): number {
  if (season === 'winter') return month >= 9 || month <= 2 ? 1.5 : 0.6;
  if (season === 'summer') return month >= 4 && month <= 7 ? 2.5 : 0.4;
  if (season === 'gift') return month >= 10 ? 2.5 : 0.7;
  return 1;
}

function find(sums: readonly number[], value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
