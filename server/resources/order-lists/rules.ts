import { type OrderStatus, type PaymentProgress, type PaymentStatus, unsentStatuses } from '../../../contract/orders.ts';
import { fold } from '../../../contract/values.ts';
import { asText, type Sought } from '../../values/words.ts';

/** Which orders a list or calendar shows; a condition that is null or undefined does not count. */
export type OrderFilter = {
  /** 0 stands for real orders, 1 for test orders. */
  tests: readonly (0 | 1)[];
  status: OrderStatus | undefined;
  paymentStatus: PaymentStatus | undefined;
  /** What the orders need of somebody (`db/queries/order-needs.ts`). */
  needs: OrderNeed | null;
  /** Only orders that are neither cancelled nor refunded (spec CA4). */
  liveOnly: boolean;
  /** Only orders without a delivery date. */
  undated: boolean;
  createdFrom: string | null;
  createdBefore: string | null;
  updatedSince: string | null;
  totalMin: number | null;
  totalMax: number | null;
  /** Folded text that the customer's name or email must contain. */
  search: string;
  /** What `q` asks for: all of it must stand in the customer's name, email or phone number. */
  sought: readonly Sought[];
  customerId: number | null;
  internalStatus: number | 'none' | null;
  paymentProgress: PaymentProgress | null;
  number: OrderNumber | null;
  /** Orders that have all words of `q` because one of them is their number. */
  besides: readonly number[];
  /** Only these orders. */
  among: { ids: readonly number[] } | null;
  /** Calendar dates, both inclusive. */
  deliveryFrom: string | null;
  deliveryTo: string | null;
};

export type OrderNeed = { of: 'sending' } | { of: 'attention'; today: string; paidBefore: string };

/** What somebody typed to find an order: the folded beginning of its public id, or its id, or text that can be both. */
export type OrderNumber = { prefix: string | null; id: number | null };

const PREFIX_MIN = 3;

export function orderNumber(text: string): OrderNumber {
  const id = /^\d+$/.test(text) ? Number(text) : null;
  return { prefix: text.length < PREFIX_MIN ? null : fold(text), id: Number.isSafeInteger(id) ? id : null };
}

/** The number of orders in a state; `dated` is 1 if they have a delivery date. */
export type StateCount = { is_test: number; status: string; payment_status: string; dated: number; n: number };

type States = Pick<OrderFilter, 'tests' | 'status' | 'paymentStatus' | 'liveOnly' | 'undated' | 'needs'>;

const anyState = { status: undefined, paymentStatus: undefined, liveOnly: false, undated: false, needs: null };
/** A filter without conditions, except for `tests`. */
export const anything = {
  ...anyState,
  createdFrom: null,
  createdBefore: null,
  updatedSince: null,
  totalMin: null,
  totalMax: null,
  search: '',
  sought: [],
  besides: [],
  among: null,
  customerId: null,
  internalStatus: null,
  paymentProgress: null,
  number: null,
  deliveryFrom: null,
  deliveryTo: null,
};

export function hasDates({ createdFrom, createdBefore }: OrderFilter): boolean {
  return createdFrom !== null || createdBefore !== null;
}

/** All that the customer's name, email or phone number must have. */
export function soughtBy({ search, sought }: OrderFilter): readonly Sought[] {
  return search === '' ? sought : [asText(search), ...sought];
}

/** The orders of the filter that its words find only by their numbers. */
export function besidesAlone(filter: OrderFilter): OrderFilter {
  return { ...filter, sought: [], besides: [], among: { ids: filter.besides } };
}

export function hasBounds({ totalMin, totalMax }: OrderFilter): boolean {
  return totalMin !== null || totalMax !== null;
}

/** Whether a filter has no condition except for `tests`. */
export function isUnfiltered(filter: OrderFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'tests' || value === unasked.get(name) || isEmpty(value));
}

/** Whether only `tests` and `needs` have a condition. */
export function isNeedAlone(filter: OrderFilter): boolean {
  return isUnfiltered({ ...filter, needs: null });
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const unasked = new Map<string, unknown>(Object.entries(anything));

/** Adds up the counts of the states that the filter accepts. */
export function sumStates(counts: readonly StateCount[], { tests, status, paymentStatus, liveOnly, undated, needs }: States): number {
  let sum = 0;
  for (const { is_test, status: has, payment_status: payment, dated, n } of counts) {
    if (!tests.some((one) => one === is_test)) continue;
    if ((status !== undefined && has !== status) || (paymentStatus !== undefined && payment !== paymentStatus)) continue;
    if ((liveOnly && (has === 'cancelled' || payment === 'refunded')) || (undated && dated === 1)) continue;
    if (needs !== null && !unsentStatuses.some((one) => one === has)) continue;
    sum += n;
  }
  return sum;
}

/**
 * A span of time, split into the parts that kept counts cover (`counted`: ranges of keys, by month such as `M2026-01` and by
 * UTC day) and the rest of its first and last day (`ends`).
 */
export type Span = { counted: Range[]; ends: Range[] };
export type Range = { from: string; before: string };

/** Texts that sort before and after every day of a year with four digits. */
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
/** 31 days after the first of a month are always in the next month. */
const monthAfter = (month: string): string =>
  month >= '9999-12' ? LAST_DAY : monthOf(new Date(Date.parse(midnightOf(`${month}-01`)) + 31 * DAY_MS).toISOString());

/** An index that finds the orders, and how many of its entries must be read. */
export type IndexChoice = { index: string; entries: number };

/** The indexes that serve the filter's states. `counts` holds the counts for the filter's dates. */
export function stateIndexes(counts: readonly StateCount[], filter: OrderFilter): IndexChoice[] {
  const { tests, status, paymentStatus, undated, needs } = filter;
  const entries = (states: Partial<States>) => sumStates(counts, { ...anyState, tests, ...states });
  return [
    { index: 'orders_by_created', entries: entries({}) },
    ...(status === undefined ? [] : [{ index: 'orders_by_status', entries: entries({ status }) }]),
    ...(paymentStatus === undefined ? [] : [{ index: 'orders_by_payment_status', entries: entries({ paymentStatus }) }]),
    ...(needs === null ? [] : [{ index: 'orders_to_send', entries: entries({ needs }) }]),
    // The index on the delivery date is not bounded by days of creation, within which the counts are.
    ...(undated && !hasDates(filter) ? [{ index: 'orders_by_delivery_date', entries: entries({ undated }) }] : []),
  ];
}

/** Keys before and after every delivery date in `order_part_counts`. */
const [FIRST_DELIVERY, LAST_DELIVERY] = ['D', 'D:'];

/** The ranges of `order_part_counts` that count what the filter asks for, each with the index of the same orders. */
export function partsOf({
  internalStatus,
  deliveryFrom,
  deliveryTo,
  paymentProgress,
}: OrderFilter): { index: string; from: string; to: string }[] {
  const internal = `I${internalStatus === 'none' ? '' : internalStatus}`;
  const [from, to] = [deliveryFrom === null ? FIRST_DELIVERY : `D${deliveryFrom}`, deliveryTo === null ? LAST_DELIVERY : `D${deliveryTo}`];
  return [
    ...(internalStatus === null ? [] : [{ index: 'orders_by_internal_status', from: internal, to: internal }]),
    ...(deliveryFrom === null && deliveryTo === null ? [] : [{ index: 'orders_by_delivery_date', from, to }]),
    ...(paymentProgress === null ? [] : [{ index: 'orders_by_payment_progress', from: `P${paymentProgress}`, to: `P${paymentProgress}` }]),
  ];
}

/**
 * How the sought texts are compared: `each` with every order's name, email and phone number, `few` or `many` with the distinct buyers
 * first (`order-buyers.ts`).
 */
export type Search = 'each' | 'few' | 'many';
/** `index`: null if the orders are looked up by their ids. */
export type QueryPlan = { index: string | null; search: Search };

export type SortKey = 'created_at' | 'updated_at' | 'total' | 'status' | 'customer_name';

/** For each sort key, the index that has all orders in that order. */
export const sortIndexes: Record<SortKey, string> = {
  created_at: 'orders_by_created',
  updated_at: 'orders_by_updated',
  total: 'orders_by_total',
  status: 'orders_by_status_name',
  customer_name: 'orders_by_customer_name',
};

const BY_CREATION = new Set([
  'orders_by_created',
  'orders_to_send',
  'orders_by_status',
  'orders_by_payment_status',
  'orders_by_customer',
  'orders_by_internal_status',
  'orders_by_payment_progress',
]);

/** Whether the entries of an index that match a filter are in the order of the list. */
export function isInOrder(index: string | null, sort: SortKey): boolean {
  if (index === null) return false;
  return sort === 'created_at' ? BY_CREATION.has(index) : index === sortIndexes[sort];
}

/** The filter's conditions on the column that the list is sorted by: they bound a walk along its index. */
export function conditionsOnSort(filter: OrderFilter, sort: SortKey): OrderFilter {
  const { tests, status, createdFrom, createdBefore, updatedSince, totalMin, totalMax } = filter;
  return {
    ...anything,
    tests,
    ...(sort === 'status' && { status }),
    ...(sort === 'created_at' && { createdFrom, createdBefore }),
    ...(sort === 'updated_at' && { updatedSince }),
    ...(sort === 'total' && { totalMin, totalMax }),
  };
}

/** A list skips at most so many rows one by one outside a thread of its own. */
const FAR = 20_000;
/** Few public ids begin with so many given characters. */
const CLEAR = 6;

type ListQuery = {
  search?: string | undefined;
  q?: string | undefined;
  status?: string | undefined;
  payment_status?: string | undefined;
  total_min?: string | undefined;
  total_max?: string | undefined;
  created_from?: string | undefined;
  created_to?: string | undefined;
  updated_since?: string | undefined;
  customer_id?: number | undefined;
  internal_status_id?: number | 'none' | undefined;
  delivery_from?: string | undefined;
  delivery_to?: string | undefined;
  payment_progress?: string | undefined;
  no_delivery_date?: boolean | undefined;
  needs?: OrderNeed['of'] | undefined;
  number?: string | undefined;
};

/** Whether a list may read more than some thousand entries: true unless one index and the kept counts can answer it. */
export function isHeavyList(
  query: ListQuery & { sort: string; page?: number | undefined; per_page: number; after?: string | undefined },
): boolean {
  if (query.after !== undefined || query.updated_since !== undefined) return true;
  if (query.number !== undefined && !query.q) return query.number.length < CLEAR;
  const { needs, ...others } = query;
  if (needs === 'attention' || isHeavyCalendar(others) || (query.page ?? 1) * query.per_page > FAR) return true;
  if (query.delivery_from !== undefined || query.delivery_to !== undefined || query.no_delivery_date) return true;
  const states = [query.status, query.payment_status, needs].filter((one) => one !== undefined).length;
  const hasSpan = query.created_from !== undefined || query.created_to !== undefined;
  return query.sort.endsWith('created_at') ? states > 1 : states > 0 || hasSpan;
}

/** Whether a calendar needs more than the kept counts and the orders of its weeks. */
export function isHeavyCalendar({ search, q, ...query }: ListQuery): boolean {
  const { total_min, total_max, customer_id, internal_status_id, payment_progress, needs } = query;
  const others = [total_min, total_max, customer_id, internal_status_id, payment_progress, needs];
  return Boolean(search || q) || others.some((one) => one !== undefined);
}
