import type { At } from '../../db/open.ts';
import { countOfBuyers, lookForBuyers } from '../../db/queries/order-buyers.ts';
import {
  besidesAlone,
  hasBounds,
  hasDates,
  type IndexChoice,
  isNeedAlone,
  isUnfiltered,
  type OrderFilter,
  partsOf,
  type QueryPlan,
  soughtBy,
  stateIndexes,
  sumStates,
} from './rules.ts';
import * as store from './store.ts';

/** So many index entries can be counted within some milliseconds, whatever other conditions the filter has. */
const FEW_ENTRIES = 200_000;
/** The buyers of so many orders can be read one by one within some milliseconds. */
const FEW_TEXTS = 5000;

/** Counting the orders changed since a time stops here; with more, another index is hardly worse. */
const MOST_COUNTED = FEW_ENTRIES + 1;

/** The number of matching orders, and the index by which to gather them. */
export type Found = { total: number; plan: QueryPlan };

/** Counts the matching orders: from the kept counts if they have the number, else by the index with the fewest entries to read. */
export async function findOrders(ctx: At, filter: OrderFilter): Promise<Found> {
  if (filter.number !== null || filter.among !== null) return counted(ctx, filter, { index: null, search: 'each' });
  if (filter.besides.length > 0) return withOthers(ctx, filter);
  if (filter.customerId !== null) return counted(ctx, filter, { index: 'orders_by_customer', search: 'each' });
  const { narrowest, fitting, isExact } = await knownCounts(ctx, filter);
  const plan: QueryPlan = { index: narrowest.index, search: 'each' };
  if (fitting === 0) return { total: 0, plan };
  if (soughtBy(filter).length > 0) return searched(ctx, filter, narrowest);
  if (filter.needs?.of === 'attention' && isNeedAlone(filter) && filter.tests.every((test) => test === 0)) {
    return { total: await store.countAttention(ctx, filter.needs), plan };
  }
  if (!hasBounds(filter)) return isExact ? { total: fitting, plan } : counted(ctx, filter, plan);
  if (narrowest.entries <= FEW_ENTRIES) return counted(ctx, filter, plan);
  // The index on the delivery date has the totals of orders without one in order.
  return counted(ctx, filter, { index: filter.undated ? 'orders_by_delivery_date' : 'orders_by_total', search: 'each' });
}

/** A search by the buyers finds nothing but what they have; the other orders are counted by their ids. */
async function withOthers(ctx: At, filter: OrderFilter): Promise<Found> {
  const { total, plan } = await findOrders(ctx, { ...filter, besides: [] });
  if (plan.search === 'each') return counted(ctx, filter, plan);
  return { total: total + (await store.countOrders(ctx, besidesAlone(filter), { index: null, search: 'each' })), plan };
}

/** What the kept counts tell: the index with the fewest entries, and how many orders match at most (with `isExact`: exactly). */
async function knownCounts(ctx: At, filter: OrderFilter): Promise<{ narrowest: IndexChoice; fitting: number; isExact: boolean }> {
  const counts = await store.selectStateCounts(ctx, filter);
  const choices = stateIndexes(counts, filter);
  const parts = partsOf(filter);
  let fitting = sumStates(counts, filter);
  for (const { index, ...range } of parts) {
    const part = await store.countPart(ctx.db, filter, range);
    choices.push({ index, entries: part.entries });
    fitting = Math.min(fitting, part.fitting);
  }
  if (filter.updatedSince !== null) {
    const entries = await store.countUpdated(ctx, filter, MOST_COUNTED);
    choices.push({ index: 'orders_by_updated', entries });
    if (entries < MOST_COUNTED) fitting = Math.min(fitting, entries);
  }
  const narrowest = choices.reduce((a, b) => (b.entries < a.entries ? b : a));
  const isCounted = parts.length === 0 || (parts.length === 1 && !hasDates(filter) && !filter.undated);
  return { narrowest, fitting, isExact: isCounted && filter.updatedSince === null && filter.needs?.of !== 'attention' };
}

/** Searches by the buyers that have what is sought, unless very few orders would have to be read instead. */
async function searched(ctx: At, filter: OrderFilter, narrowest: IndexChoice): Promise<Found> {
  const each: QueryPlan = { index: narrowest.index, search: 'each' };
  const seen = await lookForBuyers(ctx, soughtBy(filter));
  const plan: QueryPlan = { index: 'orders_by_buyer', search: seen.all ? 'few' : 'many' };
  if (seen.buyers === 0) return { total: 0, plan };
  if (isUnfiltered({ ...filter, search: '', sought: [] })) {
    const found = seen.all ? seen : await countOfBuyers(ctx, soughtBy(filter));
    return { total: filter.tests.reduce<number>((sum, test) => sum + (test === 1 ? found.tests : found.orders), 0), plan };
  }
  return counted(ctx, filter, narrowest.entries < Math.min(FEW_TEXTS, seen.orders + seen.tests) ? each : plan);
}

async function counted(ctx: At, filter: OrderFilter, plan: QueryPlan): Promise<Found> {
  return { total: await store.countOrders(ctx, filter, plan), plan };
}
