import type { InputOf } from '../../../contract/endpoint.ts';
import type { ordersCalendar, ordersList } from '../../../contract/orders.ts';
import { fold } from '../../../contract/values.ts';
import type { Ctx } from '../../context.ts';
import { dayIn, instantsOf } from '../../dates.ts';
import type { Position, Reading, SortColumn } from '../../db/keyset.ts';
import { pageForm, readingOf } from '../../pages.ts';
import { amountBound } from '../orders/rules.ts';
import { calendarDays } from './calendar.ts';
import { type Counted, countMatching, type Known } from './count.ts';
import { hasDates, narrowestWay, type OrderFilter, type Page, pagePath, type StateCount, sumStates } from './rules.ts';
import * as store from './store.ts';

const sortColumns: Record<Page['sort'], SortColumn> = {
  customer_name: { name: 'customer_name_folded', type: 'text' },
  total: { name: 'total', type: 'integer' },
  status: { name: 'status', type: 'text' },
  created_at: { name: 'created_at', type: 'text' },
};

export async function listOrders(ctx: Ctx, query: InputOf<typeof ordersList>['query']) {
  const created = instantsOf({ from: query.created_from, to: query.created_to, timeZone: ctx.settings.timezone });
  const filter: OrderFilter = {
    ...filterOf(ctx, query),
    tests: query.test_only ? [1] : query.include_test ? [0, 1] : [0],
    createdFrom: created.from,
    createdBefore: created.before,
  };
  const reading = readingOf(query, query.sort, sortColumns);
  const known = await knownOf(ctx, filter, await store.selectStateCounts(ctx.db));
  const counted = await countMatching(ctx, filter, known);
  const keys = await keysOf(ctx, filter, reading, known, counted);
  const ids = keys.slice(0, reading.perPage).map(({ id }) => id);
  return pageForm(reading, counted.total, keys, await store.selectOrderRows(ctx.db, ids));
}

/** Whole weeks around a month; the current one where the text names none (decisions.md CA1-CA6). */
export async function orderCalendar(ctx: Ctx, query: InputOf<typeof ordersCalendar>['query']) {
  const filter: OrderFilter = { ...filterOf(ctx, query), liveOnly: query.status === undefined };
  const days = calendarDays(query.month, dayIn(ctx.now, ctx.settings.timezone));
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const counts = await store.countByDeliveryDate(ctx, filter, first, last);
  const undated = { ...filter, undated: true };
  const known = await knownOf(ctx, undated, await store.selectStateCounts(ctx.db));
  return {
    grid_start: first,
    grid_end: last,
    days: days.map((date) => ({ date, count: counts.get(date) ?? 0 })),
    no_delivery_date_count: (await countMatching(ctx, undated, known)).total,
  };
}

type Filters = Pick<
  InputOf<typeof ordersList>['query'],
  'search' | 'status' | 'payment_status' | 'total_min' | 'total_max' | 'include_test'
>;

function filterOf({ settings }: Ctx, query: Filters): OrderFilter {
  const bound = (text: string | undefined, side: 'min' | 'max') =>
    text === undefined ? null : amountBound(text, settings.currency_exponent, side);
  return {
    tests: query.include_test ? [0, 1] : [0],
    status: query.status,
    paymentStatus: query.payment_status,
    liveOnly: false,
    undated: false,
    createdFrom: null,
    createdBefore: null,
    totalMin: bound(query.total_min, 'min'),
    totalMax: bound(query.total_max, 'max'),
    search: fold(query.search ?? ''),
  };
}

async function knownOf(ctx: Ctx, filter: OrderFilter, counts: readonly StateCount[]): Promise<Known> {
  const fitting = hasDates(filter) ? await store.countInDates(ctx, filter) : sumStates(counts, filter);
  const all = counts.reduce((sum, { is_test, n }) => sum + (filter.tests.some((test) => test === is_test) ? n : 0), 0);
  return { fitting, narrowest: narrowestWay(counts, filter, fitting), all };
}

/** The positions of the page and, where there is a next one, its first. What lies past the middle is read from the end. */
async function keysOf(ctx: Ctx, filter: OrderFilter, reading: Reading, known: Known, { total, ...counted }: Counted): Promise<Position[]> {
  const begin = reading.after ? 0 : (reading.page - 1) * reading.perPage;
  const end = Math.min(total, begin + reading.perPage + 1);
  if (begin >= end) return [];
  const fromEnd = reading.after === null && begin > total - end;
  const offset = fromEnd ? total - end : begin;
  const limit = end - begin;
  const path = pagePath({ sort: sortOf(reading), reach: offset + limit, total, ...known, ...counted });
  return store.selectOrderKeys(ctx, filter, reading, { path, offset, limit, fromEnd });
}

function sortOf({ sort }: Reading): Page['sort'] {
  const key = sort.replace(/^-/, '');
  if (key === 'customer_name' || key === 'total' || key === 'status') return key;
  return 'created_at';
}
