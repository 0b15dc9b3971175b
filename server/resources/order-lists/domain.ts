import type { InputOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { IDS_MAX } from '../../../contract/orders.ts';
import { fold } from '../../../contract/values.ts';
import type { SortColumn } from '../../db/queries/keyset.ts';
import { attentionTimes } from '../../db/queries/order-needs.ts';
import { dayIn, instantsOf } from '../../values/dates.ts';
import { soughtIn } from '../../values/words.ts';
import { changedPage } from '../../verbs/change-pages.ts';
import type { Ctx } from '../../verbs/context.ts';
import { pageForm, readingOf, refuseTooMany } from '../../verbs/list-pages.ts';
import { amountBound } from '../orders/rules.ts';
import { calendarDays } from './calendar.ts';
import { keysOf } from './keys.ts';
import { findOrders } from './query-plan.ts';
import { anything, type OrderFilter, type OrderNeed, orderNumber, type QueryPlan, type SortKey } from './rules.ts';
import * as store from './store.ts';

const sortColumns: Record<SortKey, SortColumn> = {
  customer_name: { name: 'customer_name_folded', type: 'text' },
  total: { name: 'total', type: 'integer' },
  status: { name: 'status', type: 'text' },
  created_at: { name: 'created_at', type: 'text' },
  updated_at: { name: 'updated_at', type: 'text' },
};

export async function listOrders(ctx: Ctx, query: InputOf<Endpoints['orders.list']>['query']) {
  const filter = await listFilterOf(ctx, query);
  if (query.after !== undefined) {
    const changes = store.orderChanges(ctx, filter, async () => (await findOrders(ctx, filter)).total);
    return changedPage(ctx, { ...query, after: query.after }, changes);
  }
  const reading = readingOf(query, query.sort, sortColumns);
  const found = await findOrders(ctx, filter);
  const keys = await keysOf(ctx, filter, reading, found);
  const ids = keys.slice(0, reading.perPage).map(({ id }) => id);
  return pageForm(reading, found.total, keys, await store.selectOrderRows(ctx.db, ids));
}

/** The ids of all orders that match, to start something on them. */
export async function listOrderIds(ctx: Ctx, query: InputOf<Endpoints['orders.list_ids']>['query']) {
  const filter = await listFilterOf(ctx, query);
  const found = await findOrders(ctx, filter);
  refuseTooMany('orders', found.total, IDS_MAX);
  const keys = await keysOf(ctx, filter, readingOf({ per_page: IDS_MAX }, query.sort, sortColumns), found);
  return { ids: keys.map(({ id }) => id), total: found.total };
}

type ListFilters = InputOf<Endpoints['orders.list_ids']>['query'];

async function listFilterOf(ctx: Ctx, query: ListFilters): Promise<OrderFilter> {
  const created = instantsOf({ from: query.created_from, to: query.created_to, timeZone: ctx.settings.timezone });
  return {
    ...(await filterOf(ctx, query)),
    tests: query.test_only ? [1] : query.include_test ? [0, 1] : [0],
    createdFrom: created.from,
    createdBefore: created.before,
    updatedSince: query.updated_since ?? null,
    deliveryFrom: query.delivery_from ?? null,
    deliveryTo: query.delivery_to ?? null,
    undated: query.no_delivery_date,
    liveOnly: query.live_only,
    number: query.number === undefined ? null : orderNumber(query.number),
  };
}

/** Counts orders by delivery date for the whole weeks of a month, by default the current one (spec CA1-CA6). */
export async function orderCalendar(ctx: Ctx, query: InputOf<Endpoints['orders.calendar']>['query']) {
  const filter: OrderFilter = { ...(await filterOf(ctx, query)), liveOnly: query.status === undefined && query.needs === undefined };
  const days = calendarDays(query.month, dayIn(ctx.now, ctx.settings.timezone));
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  const undated = { ...filter, undated: true };
  const { total, plan: undatedPlan } = await findOrders(ctx, undated);
  // If few buyers match the search, or a customer is given, their orders are read; otherwise the orders of the shown days are fewer.
  const isFew = (undatedPlan.search === 'few' && filter.besides.length === 0) || filter.customerId !== null;
  const plan: QueryPlan = isFew ? undatedPlan : { index: 'orders_by_delivery_date', search: 'each' };
  const counts = await store.countByDeliveryDate(ctx, filter, plan, from, to);
  return {
    grid_start: from,
    grid_end: to,
    days: days.map((date) => ({ date, count: counts.get(date) ?? 0 })),
    no_delivery_date_count: total,
  };
}

type Filters = Omit<InputOf<Endpoints['orders.calendar']>['query'], 'month'>;

async function filterOf(ctx: Ctx, query: Filters): Promise<OrderFilter> {
  const { settings } = ctx;
  const sought = soughtIn(query.q ?? '');
  const bound = (text: string | undefined, side: 'min' | 'max') =>
    text === undefined ? null : amountBound(text, settings.currency_exponent, side);
  return {
    ...anything,
    tests: query.include_test ? [0, 1] : [0],
    status: query.status,
    needs: needOf(ctx, query.needs),
    paymentStatus: query.payment_status,
    totalMin: bound(query.total_min, 'min'),
    totalMax: bound(query.total_max, 'max'),
    search: fold(query.search ?? ''),
    sought,
    besides: await store.selectNumbered(ctx, sought),
    customerId: query.customer_id ?? null,
    internalStatus: query.internal_status_id ?? null,
    paymentProgress: query.payment_progress ?? null,
  };
}

function needOf(ctx: Ctx, needs: Filters['needs']): OrderNeed | null {
  if (needs === undefined) return null;
  return needs === 'attention' ? { of: needs, ...attentionTimes(ctx.now, ctx.settings.timezone) } : { of: needs };
}
