import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OrderStatus } from '../../../contract/orders.ts';
import { api, once } from '../../api/client.ts';
import type { BulkResult } from '../../parts/list/bulk-bar.tsx';
import { queryOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { OrderFilters } from './search.ts';

export const PAGE_SIZE = 50;
const MINUTE_MS = 60_000;

/** An order's number has exactly this form; anything else is sent as `q`, which also looks in names, emails and phone numbers. */
const PUBLIC_ID = /^[0-9A-HJKMNP-TV-Z]{12}$/i;

/** The filters as the API names them. `#` before what is typed looks for an order's number. */
function filterOf(filters: OrderFilters) {
  const {
    q,
    number,
    status,
    needs,
    live,
    payment,
    progress,
    internal,
    customer,
    from,
    to,
    delivery_from,
    delivery_to,
    no_date,
    min,
    max,
    test,
    sort,
  } = filters;
  const isNumber = q !== undefined && (q.startsWith('#') || PUBLIC_ID.test(q));
  return defined({
    q: isNumber ? undefined : q,
    number: number ?? (isNumber ? q.replace('#', '') : undefined),
    status,
    needs,
    live_only: live,
    payment_status: payment,
    payment_progress: progress,
    internal_status_id: internal,
    customer_id: customer,
    created_from: from,
    created_to: to,
    delivery_from,
    delivery_to,
    no_delivery_date: no_date,
    total_min: min,
    total_max: max,
    include_test: test === 'too' ? true : undefined,
    test_only: test === 'only' ? true : undefined,
    sort,
  });
}

/** One page of the list, by cursor. */
export function ordersPage(filters: OrderFilters, cursor: string | undefined) {
  return queryOf('orders.list', api.orders.list, { placeholderData: keepPreviousData })({
    per_page: PAGE_SIZE,
    ...filterOf(filters),
    ...defined({ cursor }),
  });
}

/** The ids of all orders that match. */
export async function allIds(filters: OrderFilters): Promise<number[]> {
  return (await api.orders.list_ids(filterOf(filters))).ids;
}

/** So many orders at most go into one request. */
const BULK_MAX = 250;

/** Orders by the status that they have. */
export type ByStatus = readonly { status: OrderStatus; ids: readonly number[] }[];

type BulkBody = { ids: number[]; status: OrderStatus; from_status: OrderStatus };

/**
 * Sets the status of any number of orders, some at a time; a second try with the same key has no second effect. Each order must still
 * have the status that it is listed under; one that somebody else has changed since is refused.
 */
export async function setStatuses(from: ByStatus, to: OrderStatus, keyOf: (body: BulkBody) => string, onDone: (count: number) => void) {
  const results: BulkResult[] = [];
  for (const { status, ids } of from) {
    for (let at = 0; at < ids.length; at += BULK_MAX) {
      const body: BulkBody = { ids: ids.slice(at, at + BULK_MAX), status: to, from_status: status };
      const answer = await api.orders.bulk_status(body, once(keyOf(body)));
      results.push(...answer.results);
      onDone(results.length);
    }
  }
  return results;
}

export function customerName(id: number) {
  return queryOptions({
    queryKey: ['customers.get', id, 'name'],
    queryFn: async () => (await api.customers.get(id)).name,
    staleTime: MINUTE_MS,
  });
}
