import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { type Price, type PriceInput, priceOrder } from './rules.ts';

/** Computes a price; refuses (422) if a sum is larger than an exact integer. */
export function priceWithin(input: PriceInput): Price {
  try {
    return priceOrder(input);
  } catch (error) {
    if (error instanceof RangeError) throw refuseValue('out_of_range', '/items', 'the sums are larger than an order can hold');
    throw error;
  }
}

/** Refuses (409) if the caller expects another total, such as that of an older preview (spec O25). */
export function refuseOtherTotal(expected: number | undefined, total: number): void {
  if (expected === undefined || expected === total) return;
  throw new Refusal('total_changed', `The total is now ${total}, not the expected ${expected}; check it and send the new one.`, {
    extra: { total_cents: total },
  });
}
