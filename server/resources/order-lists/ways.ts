import type { At } from '../../db/open.ts';
import { asksNothing, hasBounds, hasDates, type OrderFilter, type Path, partsOf, stateWays, sumStates, type Way } from './rules.ts';
import * as store from './store.ts';

/** Entries of an index that are counted within some milliseconds, whatever else the filter asks of them. */
const FEW_ENTRIES = 200_000;
/** Orders whose names and emails are read one by one within some milliseconds. */
const FEW_TEXTS = 5000;

/** How many orders match, and how to gather them. */
export type Found = { total: number; path: Path };

/** The total comes from the kept counts where they have it, else from the index that has the fewest entries to look at. */
export async function findOrders(ctx: At, filter: OrderFilter): Promise<Found> {
  if (filter.customerId !== null) return counted(ctx, filter, { index: 'orders_by_customer', search: 'each' });
  const { narrowest, fitting, isExact } = await knownOf(ctx, filter);
  const path: Path = { index: narrowest.index, search: 'each' };
  if (fitting === 0) return { total: 0, path };
  if (filter.search !== '') return searched(ctx, filter, narrowest);
  if (!hasBounds(filter)) return isExact ? { total: fitting, path } : counted(ctx, filter, path);
  // Orders without a delivery date have an index that has their totals in order.
  const isNarrow = filter.undated || narrowest.entries <= FEW_ENTRIES;
  return counted(ctx, filter, isNarrow ? path : { index: 'orders_by_total', search: 'each' });
}

/** What the kept counts tell: the index with the fewest entries, and how many orders match at most (`isExact`: just so many). */
async function knownOf(ctx: At, filter: OrderFilter): Promise<{ narrowest: Way; fitting: number; isExact: boolean }> {
  const counts = await store.selectStateCounts(ctx, filter);
  const ways = stateWays(counts, filter);
  const parts = partsOf(filter);
  let fitting = sumStates(counts, filter);
  for (const { index, ...range } of parts) {
    const part = await store.countPart(ctx.db, filter, range);
    ways.push({ index, entries: part.entries });
    fitting = Math.min(fitting, part.fitting);
  }
  const narrowest = ways.reduce((a, b) => (b.entries < a.entries ? b : a));
  return { narrowest, fitting, isExact: parts.length === 0 || (parts.length === 1 && !hasDates(filter)) };
}

/** By the buyers that have the text, unless very few orders are left to look at. */
async function searched(ctx: At, filter: OrderFilter, narrowest: Way): Promise<Found> {
  const each: Path = { index: narrowest.index, search: 'each' };
  const buyers = ctx.dialect.orderBuyers;
  if (!buyers) return counted(ctx, filter, each);
  const seen = await buyers.look(ctx.db, filter.search);
  const path: Path = { index: 'orders_by_buyer', search: seen.all ? 'few' : 'many' };
  if (seen.buyers === 0) return { total: 0, path };
  if (asksNothing({ ...filter, search: '' })) {
    const found = seen.all ? seen : await buyers.count(ctx.db, filter.search);
    return { total: filter.tests.reduce<number>((sum, test) => sum + (test === 1 ? found.tests : found.orders), 0), path };
  }
  return counted(ctx, filter, narrowest.entries < Math.min(FEW_TEXTS, seen.orders + seen.tests) ? each : path);
}

async function counted(ctx: At, filter: OrderFilter, path: Path): Promise<Found> {
  return { total: await store.countOrders(ctx, filter, path), path };
}
