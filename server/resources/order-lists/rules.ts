import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';

/** Which orders a list or a calendar is of; what is null or undefined does not matter. */
export type OrderFilter = {
  /** 0: orders, 1: test orders. */
  tests: readonly (0 | 1)[];
  status: OrderStatus | undefined;
  paymentStatus: PaymentStatus | undefined;
  /** Neither cancelled nor refunded (decisions.md CA4). */
  liveOnly: boolean;
  /** Without a delivery date. */
  undated: boolean;
  createdFrom: string | null;
  createdBefore: string | null;
  totalMin: number | null;
  totalMax: number | null;
  /** Folded; part of name or email. */
  search: string;
  customerId: number | null;
  internalStatus: number | 'none' | null;
  /** Calendar dates, both inclusive. */
  deliveryFrom: string | null;
  deliveryTo: string | null;
};

/** How many orders are in a state; `dated`: they have a delivery date. */
export type StateCount = { is_test: number; status: string; payment_status: string; dated: number; n: number };

/** What is counted by state and day need not be counted again. */
export function isCounted(filter: OrderFilter): boolean {
  return !hasBounds(filter) && filter.search === '' && !hasParts(filter);
}

export function hasBounds({ totalMin, totalMax }: OrderFilter): boolean {
  return totalMin !== null || totalMax !== null;
}

/** Whether it asks for a part of the orders that the counts by state and day do not know. */
export function hasParts(filter: OrderFilter): boolean {
  return filter.customerId !== null || filter.internalStatus !== null || hasDelivery(filter);
}

export function hasDelivery({ deliveryFrom, deliveryTo }: OrderFilter): boolean {
  return deliveryFrom !== null || deliveryTo !== null;
}

export function hasDates({ createdFrom, createdBefore }: OrderFilter): boolean {
  return createdFrom !== null || createdBefore !== null;
}

/** Whether a search is all that the filter asks. */
export function isSearchAlone(filter: OrderFilter): boolean {
  const { status, paymentStatus, liveOnly, undated } = filter;
  const hasAnyState = status === undefined && paymentStatus === undefined && !liveOnly && !undated;
  return hasAnyState && !hasDates(filter) && isCounted({ ...filter, search: '' });
}

type States = Pick<OrderFilter, 'tests' | 'status' | 'paymentStatus' | 'liveOnly' | 'undated'>;

/** Of the orders counted, those in the filter's states. */
export function sumStates(counts: readonly StateCount[], { tests, status, paymentStatus, liveOnly, undated }: States): number {
  let sum = 0;
  for (const { is_test, status: has, payment_status: payment, dated, n } of counts) {
    if (!tests.some((one) => one === is_test)) continue;
    if ((status !== undefined && has !== status) || (paymentStatus !== undefined && payment !== paymentStatus)) continue;
    if ((liveOnly && (has === 'cancelled' || payment === 'refunded')) || (undated && dated === 1)) continue;
    sum += n;
  }
  return sum;
}

/**
 * A span of instants: what the counts by month (`M2026-01`) and by UTC day have of it, in ranges of their keys, and what
 * is left of a first and a last day.
 */
export type Span = { counted: Range[]; ends: Range[] };
export type Range = { from: string; before: string };

/** As texts, before and after every day of a year with four digits. */
const FIRST_DAY = '0';
const LAST_DAY = ':';

export function spanOf(from: string | null, before: string | null): Span {
  const start = from !== null && from < FIRST_DAY ? null : from;
  if (before !== null && before <= (start ?? FIRST_DAY)) return { counted: [], ends: [] };
  const fromDay = start === null ? FIRST_DAY : isMidnight(start) ? dayOf(start) : dayAfter(dayOf(start));
  const beforeDay = before === null ? LAST_DAY : dayOf(before);
  if (start !== null && before !== null && fromDay > beforeDay) return { counted: [], ends: [{ from: start, before }] };
  const ends: Range[] = [];
  if (start !== null && !isMidnight(start)) ends.push({ from: start, before: midnightOf(fromDay) });
  if (before !== null && !isMidnight(before)) ends.push({ from: midnightOf(beforeDay), before });
  return { counted: countedRanges(fromDay, beforeDay), ends };
}

function countedRanges(fromDay: string, beforeDay: string): Range[] {
  const firstMonth = fromDay === FIRST_DAY || isFirst(fromDay) ? monthOf(fromDay) : monthAfter(monthOf(fromDay));
  const lastMonth = monthOf(beforeDay);
  if (firstMonth >= lastMonth) return [{ from: fromDay, before: beforeDay }].filter(isSome);
  return [
    { from: fromDay, before: fromDay === FIRST_DAY ? FIRST_DAY : `${firstMonth}-01` },
    { from: `M${firstMonth}`, before: `M${lastMonth}` },
    { from: beforeDay === LAST_DAY ? LAST_DAY : `${lastMonth}-01`, before: beforeDay },
  ].filter(isSome);
}

const DAY_MS = 86_400_000;
const isSome = ({ from, before }: Range): boolean => from < before;
const dayOf = (instant: string): string => instant.slice(0, 10);
const monthOf = (day: string): string => day.slice(0, 7);
const isFirst = (day: string): boolean => day.endsWith('-01');
export const midnightOf = (day: string): string => `${day}T00:00:00.000Z`;
const isMidnight = (instant: string): boolean => instant === midnightOf(dayOf(instant));
export const dayAfter = (day: string): string =>
  day >= '9999-12-31' ? LAST_DAY : dayOf(new Date(Date.parse(midnightOf(day)) + DAY_MS).toISOString());
/** The 32nd day after a month's first is in the next. */
const monthAfter = (month: string): string =>
  month >= '9999-12' ? LAST_DAY : monthOf(new Date(Date.parse(midnightOf(`${month}-01`)) + 31 * DAY_MS).toISOString());

/** Where search and filters lead: an index to go by and about how many of its entries. */
export type Way = { index: string; entries: number };

/** The filter's states, dates and parts, as the counts have them. */
export type Known = {
  fitting: number;
  /** Whether just so many fit, but for bounds and a search. */
  exact: boolean;
  narrowest: Way;
  /** The narrowest that has the orders by their creation. */
  walk: Way;
  all: number;
};

/** The index that has just the orders that fit, in the list's order: in one state or in any, and in any dates; or all. */
export function exactIndex(filter: OrderFilter, sort: Page['sort']): string | null {
  const { status, paymentStatus } = filter;
  if (sort !== 'created_at') {
    return status === undefined && paymentStatus === undefined && !hasDates(filter) ? WALKS[sort] : null;
  }
  if (status !== undefined) return paymentStatus === undefined ? 'orders_by_status' : null;
  return paymentStatus === undefined ? 'orders_by_created' : 'orders_by_payment_status';
}

/** The narrowest index for states and dates; `fitting`: how many orders fit them all. */
export function narrowestWay(counts: readonly StateCount[], filter: OrderFilter, fitting: number): Way {
  const { tests, status, paymentStatus, liveOnly, undated } = filter;
  if (undated) return { index: 'orders_by_delivery_date', entries: sumStates(counts, { ...anyState, tests, undated }) };
  const ways: Way[] = [{ index: 'orders_by_created', entries: sumStates(counts, { ...anyState, tests }) }];
  if (status !== undefined) ways.push({ index: 'orders_by_status', entries: sumStates(counts, { ...anyState, tests, status }) });
  if (paymentStatus !== undefined) {
    ways.push({ index: 'orders_by_payment_status', entries: sumStates(counts, { ...anyState, tests, paymentStatus }) });
  }
  const best = ways.reduce((a, b) => (b.entries < a.entries ? b : a));
  if (!hasDates(filter)) return best;
  // The dates take the same share of each state.
  const ofAllDates = sumStates(counts, { ...anyState, tests, status, paymentStatus, liveOnly });
  return { index: best.index, entries: Math.ceil((best.entries * fitting) / Math.max(1, ofAllDates)) };
}

const anyState = { status: undefined, paymentStatus: undefined, liveOnly: false, undated: false };
const anyPart = { customerId: null, internalStatus: null, deliveryFrom: null, deliveryTo: null };
/** What a filter has that asks for nothing. */
export const anything = {
  ...anyState,
  ...anyPart,
  createdFrom: null,
  createdBefore: null,
  totalMin: null,
  totalMax: null,
  search: '',
};

/** First and last date that a year of four digits can name, as `order_part_counts` has them. */
const [FIRST_DELIVERY, LAST_DELIVERY] = ['D', 'D:'];

/** Where the parts that a filter asks for are in `order_part_counts`, by the index that has them. */
export function partRanges(filter: OrderFilter): Record<string, { from: string; to: string }> {
  const { internalStatus, deliveryFrom, deliveryTo } = filter;
  const internal = `I${internalStatus === 'none' ? '' : internalStatus}`;
  const [from, to] = [deliveryFrom === null ? FIRST_DELIVERY : `D${deliveryFrom}`, deliveryTo === null ? LAST_DELIVERY : `D${deliveryTo}`];
  return {
    ...(internalStatus !== null && { orders_by_internal_status: { from: internal, to: internal } }),
    ...(hasDelivery(filter) && { orders_by_delivery_date: { from, to } }),
  };
}

/** Of the parts that a filter asks for each alone, with an index that has them: in any state, and in the filter's states. */
export type PartWay = Way & { fitting: number };

/** Of states and dates, and of each part: at most how many fit, and how to find them. `share`: of the orders of all dates. */
export function narrowedBy(parts: readonly PartWay[], known: Known, dates: { share: number } | null): Known {
  let { fitting, narrowest, walk } = known;
  for (const part of parts) {
    fitting = Math.min(fitting, part.fitting);
    const isByCreation = part.index !== 'orders_by_delivery_date';
    const way = { index: part.index, entries: Math.ceil(part.entries * (isByCreation ? (dates?.share ?? 1) : 1)) };
    if (way.entries < narrowest.entries) narrowest = way;
    if (isByCreation && way.entries < walk.entries) walk = way;
  }
  const exact = parts.length === 1 && dates === null;
  return { ...known, fitting, exact, narrowest, walk };
}

/** How an order's name and email are searched: in itself, or by its buyer (order-buyers.ts). */
export type Search = 'each' | 'few' | 'many' | 'others';
export type Path = { index: string; search: Search };

/** Costs in entries of an index that are read one after the other; of rows there are those near one another, and others. */
const ROW = 10;
const FAR_ROW = 60;
const SEEK = 16;
const SORTED = 5;
const SORTED_ENTRY = 2;
const TWO_TEXTS = 2;
const OF_BUYER = 1.5;

/** The buyers of a search: how they are found again, what that costs, about how many orders are theirs, and the same of all others. */
export type Buyers = { search: 'few' | 'many'; cost: number; orders: number; othersCost: number };

export function buyersOf(seen: { all: boolean; buyers: number; orders: number; tests: number; known: number; among: number }): Buyers {
  const times = seen.all ? 1 : Math.max(1, seen.known / Math.max(1, seen.among));
  const buyers = seen.buyers * times;
  const reading = seen.known * TWO_TEXTS;
  return {
    search: seen.all ? 'few' : 'many',
    cost: (seen.all ? buyers * ROW : reading) + buyers * SEEK,
    orders: Math.ceil((seen.orders + seen.tests) * times),
    othersCost: reading + Math.max(0, seen.known - buyers) * SEEK,
  };
}

/** How to count a search that has other filters beside it. */
export function countingPath(buyers: Buyers, narrowest: Way, all: number, hasBounds: boolean): Path {
  const others = Math.max(0, all - buyers.orders);
  const paths: (Path & { cost: number })[] = [
    { index: 'orders_by_buyer', search: buyers.search, cost: buyers.cost + buyers.orders * OF_BUYER },
    { index: 'orders_by_buyer', search: 'others', cost: buyers.othersCost + others * OF_BUYER + (hasBounds ? all / 2 : 0) },
    // It has both texts.
    { index: 'orders_by_buyer', search: 'each', cost: all * TWO_TEXTS },
    { index: narrowest.index, search: 'each', cost: narrowest.entries * ROW },
  ];
  return paths.reduce((a, b) => (b.cost < a.cost ? b : a));
}

/** The orders outside of a filter's bounds, as one filter for each side. */
export function outsideBounds(filter: OrderFilter): OrderFilter[] {
  const { totalMin, totalMax } = filter;
  return [
    ...(totalMin === null ? [] : [{ ...filter, totalMin: null, totalMax: totalMin - 1 }]),
    ...(totalMax === null ? [] : [{ ...filter, totalMin: totalMax + 1, totalMax: null }]),
  ];
}

const WALKS = { customer_name: 'orders_by_customer_name', total: 'orders_by_total', status: 'orders_by_status_name' } as const;

export type Page = {
  sort: 'created_at' | keyof typeof WALKS;
  /** Rows of the list up to the page's end. */
  reach: number;
  total: number;
  /** Orders, test orders, or both. */
  all: number;
  narrowest: Way;
  /** The narrowest that has the orders by their creation. */
  walk: Way;
  /** How the bounds of totals were counted. */
  bounded: Way | null;
  buyers: Buyers | null;
  /** Whether no index that has a list's order has all that the filter asks. */
  byCustomer: boolean;
};

/**
 * Walks an index that has the list's order up to the page, or gathers all that match and sorts them: what is cheaper.
 * What a search looks for may stand together, far from where the walk begins: after `patience` entries it has cost as
 * much as to gather.
 */
export function pagePath(page: Page): Path & { patience: number } {
  const { sort, reach, total, all, buyers } = page;
  const walk = sort === 'created_at' ? page.walk : { index: WALKS[sort], entries: all };
  const walked = Math.ceil(Math.min(walk.entries, (reach * walk.entries) / Math.max(1, total)));
  const { cost: gathered, ...gathering } = gatheringPath(page);
  const isCovered = buyers === null && (!page.byCustomer || walk.index === 'orders_by_customer');
  // The index of names has both texts; else they are in the rows, which lie by their creation.
  const step = isCovered ? 1 : sort === 'customer_name' && !page.byCustomer ? TWO_TEXTS : sort === 'created_at' ? ROW : FAR_ROW;
  if (gathered < walked * step) return { ...gathering, patience: 0 };
  const worth = Math.ceil(gathered / step);
  return { index: walk.index, search: 'each', patience: (buyers ? worth : Math.min(worth, walked * UNEVEN)) + MIN_PATIENCE };
}

const MIN_PATIENCE = 1000;
/** A walk that has taken so many times what it was to take goes through a stretch without what it looks for. */
const UNEVEN = 20;

/** How all that match are gathered, to be sorted: the way of a walk that has found too little as well. */
export function gatheringPath({ sort, total, narrowest, bounded, buyers, byCustomer }: Omit<Page, 'reach' | 'all' | 'walk'>): Path & {
  cost: number;
} {
  const found = bounded ?? narrowest;
  const each = { index: found.index, search: 'each' } as const;
  // Names are in the rows alone; whose orders they are as well, but for one index.
  const isCovered = sort !== 'customer_name' && (!byCustomer || found.index === 'orders_by_customer');
  if (buyers === null) return { ...each, cost: found.entries + total * (isCovered ? SORTED_ENTRY : ROW + SORTED) };
  const byBuyers = buyers.cost + buyers.orders * OF_BUYER + total * SORTED;
  const byEach = narrowest.entries * FAR_ROW + total * SORTED;
  return byEach < byBuyers
    ? { index: narrowest.index, search: 'each', cost: byEach }
    : { index: 'orders_by_buyer', search: buyers.search, cost: byBuyers };
}

const BY_CREATION = new Set([
  'orders_by_created',
  'orders_by_status',
  'orders_by_payment_status',
  'orders_by_customer',
  'orders_by_internal_status',
]);

/** What of a filter an index answers by where a walk begins and ends: entries of these are skipped without a look at them. */
export function spannedBy(index: string, filter: OrderFilter): OrderFilter {
  const byCreation = BY_CREATION.has(index);
  return {
    ...anything,
    tests: filter.tests,
    ...(index === 'orders_by_customer' && { customerId: filter.customerId }),
    ...(index === 'orders_by_internal_status' && { internalStatus: filter.internalStatus }),
    ...(index === 'orders_by_status' && { status: filter.status }),
    ...(index === 'orders_by_payment_status' && { paymentStatus: filter.paymentStatus }),
    ...(byCreation && { createdFrom: filter.createdFrom, createdBefore: filter.createdBefore }),
    ...(index === 'orders_by_total' && { totalMin: filter.totalMin, totalMax: filter.totalMax }),
  };
}

/** Without the bound that a position within it makes needless: an index takes one bound at each end. */
export function boundedAt(column: string, descending: boolean, filter: OrderFilter): OrderFilter {
  if (column === 'created_at') return { ...filter, ...(descending ? { createdFrom: null } : { createdBefore: null }) };
  if (column === 'total') return { ...filter, ...(descending ? { totalMin: null } : { totalMax: null }) };
  return filter;
}

/** A list by creation: the day on which the row after so many begins, counted from the list's begin, and how many are left to skip. */
export function dayOfRow(days: readonly { day: string; n: number }[], skip: number): { day: string; skip: number } | null {
  let left = skip;
  for (const { day, n } of days) {
    if (left < n) return { day, skip: left };
    left -= n;
  }
  return null;
}

/** Rows of a list that are not worth skipping one by one. */
export const FAR = 20_000;

type ListQuery = {
  search?: string | undefined;
  status?: string | undefined;
  payment_status?: string | undefined;
  total_min?: string | undefined;
  total_max?: string | undefined;
  created_from?: string | undefined;
  created_to?: string | undefined;
  customer_id?: number | undefined;
  internal_status_id?: number | 'none' | undefined;
  delivery_from?: string | undefined;
  delivery_to?: string | undefined;
};

/** Whether a list may read more than some thousand entries: all but what one index and the counts by state answer. */
export function isHeavyList(query: ListQuery & { sort: string; page?: number | undefined; per_page: number }): boolean {
  if (hasTextOrBounds(query) || (query.page ?? 1) * query.per_page > FAR) return true;
  const { customer_id, internal_status_id, delivery_from, delivery_to } = query;
  if ([customer_id, internal_status_id, delivery_from, delivery_to].some((one) => one !== undefined)) return true;
  const states = [query.status, query.payment_status].filter((one) => one !== undefined).length;
  const hasSpan = query.created_from !== undefined || query.created_to !== undefined;
  return query.sort.endsWith('created_at') ? states > 1 : states > 0 || hasSpan;
}

export function hasTextOrBounds({ search, total_min, total_max }: ListQuery): boolean {
  return (search !== undefined && search !== '') || total_min !== undefined || total_max !== undefined;
}
