import type { Ctx } from '../../context.ts';
import { type Buyers, buyersOf, countingPath, isCounted, isSearchAlone, type OrderFilter, type Way } from './rules.ts';
import * as store from './store.ts';

export type Counted = {
  total: number;
  /** How the bounds of totals were counted. */
  bounded: Way | null;
  /** Where orders are searched by their buyers. */
  buyers: Buyers | null;
};

/** The filter's states and dates, as the counts have them. */
export type Known = { fitting: number; narrowest: Way; all: number };

/** How many orders a filter has, and what was learnt on the way. */
export async function countMatching(ctx: Ctx, filter: OrderFilter, known: Known): Promise<Counted> {
  const nothing = { bounded: null, buyers: null };
  if (isCounted(filter) || known.fitting === 0) return { total: known.fitting, ...nothing };
  if (filter.search === '') return countBounded(ctx, filter, known);
  if (ctx.dialect.orderBuyers) return countFound(ctx, ctx.dialect.orderBuyers, filter, known);
  return { total: await store.countOrders(ctx, filter, { index: known.narrowest.index, search: 'each' }), ...nothing };
}

async function countBounded(ctx: Ctx, filter: OrderFilter, { fitting, narrowest, all }: Known): Promise<Counted> {
  const isNarrow = filter.undated || narrowest.entries * 4 <= all;
  const index = isNarrow ? narrowest.index : 'orders_by_total';
  const total = await store.countOrders(ctx, filter, { index, search: 'each' });
  // The bounds take the same share of all orders as of those that fit.
  const entries = isNarrow ? narrowest.entries : Math.ceil((total * all) / fitting);
  return { total, bounded: { index, entries }, buyers: null };
}

type List = NonNullable<Ctx['dialect']['orderBuyers']>;

async function countFound(ctx: Ctx, list: List, filter: OrderFilter, { narrowest, all }: Known): Promise<Counted> {
  const seen = await list.look(ctx.db, filter.search);
  const buyers = buyersOf(seen);
  if (!isSearchAlone(filter)) {
    const total = seen.buyers === 0 ? 0 : await store.countOrders(ctx, filter, countingPath(buyers, narrowest, all));
    return { total, bounded: null, buyers };
  }
  const { orders, tests } = seen.all ? seen : await list.count(ctx.db, filter.search);
  const total = filter.tests.reduce<number>((sum, test) => sum + (test === 1 ? tests : orders), 0);
  return { total, bounded: null, buyers: { ...buyers, orders: orders + tests } };
}
