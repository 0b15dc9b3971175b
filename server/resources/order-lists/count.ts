import type { Ctx } from '../../context.ts';
import {
  anything,
  type Buyers,
  buyersOf,
  countingPath,
  exactIndex,
  hasBounds,
  hasDates,
  hasParts,
  isCounted,
  isSearchAlone,
  type Known,
  narrowedBy,
  narrowestWay,
  type OrderFilter,
  outsideBounds,
  type Page,
  type PartWay,
  partRanges,
  sumStates,
  type Way,
} from './rules.ts';
import * as store from './store.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;

export type Counted = {
  total: number;
  /** How the bounds of totals were counted. */
  bounded: Way | null;
  /** Where orders are searched by their buyers. */
  buyers: Buyers | null;
};

export async function knownOf(ctx: At, filter: OrderFilter, sort?: Page['sort']): Promise<Known> {
  const exact = isCounted(filter) && sort !== undefined ? exactIndex(filter, sort) : null;
  if (exact !== null) {
    const fitting = await store.countFitting(ctx, filter);
    const way = { index: exact, entries: fitting };
    return { fitting, exact: true, narrowest: way, walk: way, all: fitting };
  }
  const counts = await store.selectStateCounts(ctx.db);
  const fitting = hasDates(filter) ? await store.countFitting(ctx, filter) : sumStates(counts, filter);
  const all = counts.reduce((sum, { is_test, n }) => sum + (filter.tests.some((test) => test === is_test) ? n : 0), 0);
  const narrowest = narrowestWay(counts, filter, fitting);
  const known = { fitting, exact: true, narrowest, walk: narrowest, all };
  if (!hasParts(filter)) return known;
  const dates = hasDates(filter) ? { share: fitting / Math.max(1, sumStates(counts, filter)) } : null;
  return narrowedBy(await partsOf(ctx, filter), known, dates);
}

/** How many orders there are of each part that the filter asks for, from the counts where they have it. */
async function partsOf(ctx: At, filter: OrderFilter): Promise<PartWay[]> {
  const ways: PartWay[] = [];
  for (const [index, part] of Object.entries(partRanges(filter))) ways.push({ index, ...(await store.countPart(ctx.db, filter, part)) });
  const { tests, customerId } = filter;
  if (customerId !== null) {
    const path = { index: 'orders_by_customer', search: 'each' } as const;
    const entries = await store.countOrders(ctx, { ...anything, tests, customerId }, path);
    const { status, paymentStatus } = filter;
    const inStates = { ...anything, tests, customerId, status, paymentStatus };
    const hasStates = status !== undefined || paymentStatus !== undefined;
    ways.push({ ...path, entries, fitting: hasStates ? await store.countOrders(ctx, inStates, path) : entries });
  }
  return ways;
}

/** How many orders a filter has, and what was learnt on the way. */
export async function countMatching(ctx: At, filter: OrderFilter, known: Known): Promise<Counted> {
  const nothing = { bounded: null, buyers: null };
  if (known.fitting === 0) return { total: 0, ...nothing };
  if (filter.search === '') {
    if (hasBounds(filter)) return countBounded(ctx, filter, known);
    const each = { index: known.narrowest.index, search: 'each' } as const;
    return { total: known.exact ? known.fitting : await store.countOrders(ctx, filter, each), ...nothing };
  }
  if (ctx.dialect.orderBuyers) return countFound(ctx, ctx.dialect.orderBuyers, filter, known);
  return { total: await store.countOrders(ctx, filter, { index: known.narrowest.index, search: 'each' }), ...nothing };
}

/** Where few orders are within the bounds they are counted; where few are outside, those. */
async function countBounded(ctx: At, filter: OrderFilter, { fitting, exact, narrowest, all }: Known): Promise<Counted> {
  const count = (one: OrderFilter, index: string) => store.countOrders(ctx, one, { index, search: 'each' });
  if (!filter.undated && narrowest.entries * 4 <= all) {
    return { total: await count(filter, narrowest.index), bounded: narrowest, buyers: null };
  }
  const { index, entries } = filter.undated ? narrowest : { index: 'orders_by_total', entries: all };
  const some = (one: OrderFilter, most: number) => store.countSome(ctx, withAnyState(one), { index, search: 'each' }, most);
  const [few, many] = [Math.ceil(entries / 10), Math.ceil(entries / 3)];
  const within = await some(filter, few);
  if (within <= few) return { total: await count(filter, index), bounded: { index, entries: within }, buyers: null };
  if (!exact) return { total: await count(filter, narrowest.index), bounded: null, buyers: null };
  const sides = outsideBounds(filter);
  const outside = await sumOf(sides, (side) => some(side, many));
  const total = outside <= many ? fitting - (await sumOf(sides, (side) => count(side, index))) : await count(filter, index);
  return { total, bounded: { index, entries: entries - outside }, buyers: null };
}

/** Nothing but what the index has in order. */
function withAnyState({ tests, undated, totalMin, totalMax }: OrderFilter): OrderFilter {
  return { ...anything, tests, undated, totalMin, totalMax };
}

async function sumOf(filters: readonly OrderFilter[], count: (filter: OrderFilter) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const filter of filters) sum += await count(filter);
  return sum;
}

type List = NonNullable<Ctx['dialect']['orderBuyers']>;

async function countFound(ctx: At, list: List, filter: OrderFilter, known: Known): Promise<Counted> {
  const seen = await list.look(ctx.db, filter.search);
  const buyers = buyersOf(seen);
  if (seen.buyers === 0) return { total: 0, bounded: null, buyers };
  if (isSearchAlone(filter)) {
    const { orders, tests } = seen.all ? seen : await list.count(ctx.db, filter.search);
    const total = filter.tests.reduce<number>((sum, test) => sum + (test === 1 ? tests : orders), 0);
    return { total, bounded: null, buyers: { ...buyers, orders: orders + tests } };
  }
  const anybody = { ...filter, search: '' };
  const path = countingPath(buyers, known.narrowest, known.all, hasBounds(filter) || !known.exact);
  const found = await store.countOrders(ctx, filter, path);
  const total = path.search === 'others' ? (await countMatching(ctx, anybody, known)).total - found : found;
  return { total, bounded: null, buyers };
}
