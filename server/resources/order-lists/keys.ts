import type { At } from '../../db/open.ts';
import type { Position, Reading } from '../../db/queries/keyset.ts';
import { type Found, findOrders } from './query-plan.ts';
import {
  besidesAlone,
  conditionsOnSort,
  isInOrder,
  isUnfiltered,
  type OrderFilter,
  type QueryPlan,
  type SortKey,
  sortIndexes,
  soughtBy,
} from './rules.ts';
import * as store from './store.ts';

/** With so few matches a walk along an index would read too far before it has filled a page. */
const FEW = 1000;
/** With so many matches a walk to the page costs no more than sorting all matches. */
const MANY = 100_000;
/** The most index entries that a walk reads if fewer orders match. */
const MOST_ENTRIES = 20_000;
/** The most entries that a walk reads if it must look up each order, as for its name and email. */
const MOST_TEXTS = 5000;

/** `few`: with so few matches no walk is tried. `most`: the most entries that a walk reads. */
export type Reach = { few?: number; most?: number };

/**
 * The positions of a page and, if there is a next page, of that page's first order. A page past the middle is read from the
 * end. A walk along an index in the list's order stops when the page is full; if it would read too much, all matching orders
 * are gathered by `plan` and sorted instead.
 */
export async function keysOf(
  ctx: At,
  filter: OrderFilter,
  reading: Reading,
  { total, plan }: Found,
  { few = FEW, most = isInIndexes(filter) ? MOST_ENTRIES : MOST_TEXTS }: Reach = {},
): Promise<Position[]> {
  const begin = reading.after ? 0 : (reading.page - 1) * reading.perPage;
  // Not cut at the total where the list is followed: an order that has come since it was counted must not hide the last one.
  const end = begin === 0 ? reading.perPage + 1 : Math.min(total, begin + reading.perPage + 1);
  if (total === 0 || begin >= end) return [];
  if (filter.besides.length > 0 && plan.search !== 'each') return mergedKeys(ctx, filter, reading, { begin, end });
  const fromEnd = begin > 0 && begin > total - end;
  const window = { offset: fromEnd ? total - end : begin, limit: end - begin, fromEnd };
  const sort = sortOf(reading);
  const select = (by: QueryPlan, walk?: store.Window['walk']) => store.selectOrderKeys(ctx, filter, reading, { ...window, plan: by, walk });

  const isSearched = soughtBy(filter).length > 0;
  const hasFew =
    total <= few || filter.number !== null || filter.among !== null || filter.customerId !== null || (isSearched && plan.search !== 'many');
  const along: QueryPlan = { index: sortIndexes[sort], search: 'each' };
  if (isUnfiltered(filter) || (!isSearched && total > MANY)) return select(along);
  if (hasFew || isInOrder(plan.index, sort)) return select(plan);
  const keys = await select(along, { of: conditionsOnSort(filter, sort), most });
  return keys.length === window.limit ? keys : select(plan);
}

/** Whether a walk finds all that the filter compares in the entries of its index. */
const isInIndexes = (filter: OrderFilter): boolean => soughtBy(filter).length === 0 && filter.needs?.of !== 'attention';

/** The positions of the orders whose buyers have the texts, and of the few others, in one order. */
async function mergedKeys(ctx: At, filter: OrderFilter, reading: Reading, { begin, end }: { begin: number; end: number }) {
  const whole = { ...reading, page: 1, perPage: end - 1 };
  const parts = [{ ...filter, besides: [] }, besidesAlone(filter)];
  const lists: Position[][] = [];
  for (const part of parts) lists.push(await keysOf(ctx, part, whole, await findOrders(ctx, part)));
  const sign = reading.descending ? -1 : 1;
  const compare = (a: Position, b: Position) => sign * (compareValues(a.value, b.value) || a.id - b.id);
  return lists.flat().sort(compare).slice(begin, end);
}

/** Texts as both databases sort them: by code point. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function sortOf({ sort }: Reading): SortKey {
  const key = sort.replace(/^-/, '');
  if (key === 'customer_name' || key === 'total' || key === 'status' || key === 'updated_at') return key;
  return 'created_at';
}
