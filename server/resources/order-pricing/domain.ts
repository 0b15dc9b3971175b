import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { type Price, type PriceInput, priceOrder } from './rules.ts';

/** The price; 422 where a sum is beyond the exact integers. */
export function priceWithin(input: PriceInput): Price {
  try {
    return priceOrder(input);
  } catch (error) {
    if (error instanceof RangeError) throw refuseValue('out_of_range', '/items', 'the sums are larger than an order can hold');
    throw error;
  }
}

/** 409 where the caller goes by another total, such as that of an older preview (decisions.md §2, Dry run). */
export function refuseOtherTotal(expected: number | undefined, total: number): void {
  if (expected === undefined || expected === total) return;
  throw new Refusal('total_changed', `The total is ${total} now, not ${expected}.`, { extra: { total_cents: total } });
}
