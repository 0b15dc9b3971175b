import type { Position, Reading } from '../../db/keyset.ts';
import type { At } from '../../db/open.ts';
import { askedOfSort, asksNothing, isInOrder, type OrderFilter, type Path, type SortKey, walks } from './rules.ts';
import * as store from './store.ts';
import type { Found } from './ways.ts';

/** So few matching orders stand too far apart for a walk to meet a page of them. */
const FEW = 1000;
/** Where so many orders match, walking to a page costs no more than sorting them would. */
const MANY = 100_000;
/** Entries that a walk reads at most where fewer match. */
const MOST_ENTRIES = 20_000;
/** The same where it looks up the name and email of each order. */
const MOST_TEXTS = 5000;

/** Below how many matching orders no walk is tried, and how many entries one reads at most. */
export type Reach = { few?: number; most?: number };

/**
 * The positions of the page and, where there is a next one, its first. What lies past the middle is read from the end.
 * A walk along an index in the list's order stops at the page; where it would go too far, all matching orders are
 * gathered by `path` and sorted.
 */
export async function keysOf(
  ctx: At,
  filter: OrderFilter,
  reading: Reading,
  { total, path }: Found,
  { few = FEW, most = filter.search === '' ? MOST_ENTRIES : MOST_TEXTS }: Reach = {},
): Promise<Position[]> {
  const begin = reading.after ? 0 : (reading.page - 1) * reading.perPage;
  const end = Math.min(total, begin + reading.perPage + 1);
  if (begin >= end) return [];
  const fromEnd = reading.after === null && begin > total - end;
  const window = { offset: fromEnd ? total - end : begin, limit: end - begin, fromEnd };
  const sort = sortOf(reading);
  const select = (by: Path, walk?: store.Window['walk']) => store.selectOrderKeys(ctx, filter, reading, { ...window, path: by, walk });

  const isSearched = filter.search !== '';
  const hasFew = total <= few || filter.customerId !== null || (isSearched && path.search !== 'many');
  const along: Path = { index: walks[sort], search: 'each' };
  if (asksNothing(filter) || (!isSearched && total > MANY)) return select(along);
  if (hasFew || isInOrder(path.index, sort)) return select(path);
  const keys = await select(along, { of: askedOfSort(filter, sort), most });
  return keys.length === window.limit ? keys : select(path);
}

function sortOf({ sort }: Reading): SortKey {
  const key = sort.replace(/^-/, '');
  if (key === 'customer_name' || key === 'total' || key === 'status') return key;
  return 'created_at';
}
