import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, tagged } from '../../api/client.ts';
import type { OrdersSearch } from './search.ts';

export const PAGE_SIZE = 50;

/** One page of the list, by cursor. */
export function ordersPage({ q, status, payment, from, to, min, max, test, sort, cursor }: OrdersSearch) {
  const query = {
    per_page: PAGE_SIZE,
    ...(q === undefined ? {} : { search: q }),
    ...(status === undefined ? {} : { status }),
    ...(payment === undefined ? {} : { payment_status: payment }),
    ...(from === undefined ? {} : { created_from: from }),
    ...(to === undefined ? {} : { created_to: to }),
    ...(min === undefined ? {} : { total_min: min }),
    ...(max === undefined ? {} : { total_max: max }),
    ...(test ? { include_test: true } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return queryOptions({ queryKey: ['orders.list', query], queryFn: () => api.orders.list(query), placeholderData: keepPreviousData });
}

/** An order with its ETag. */
export function orderRecord(id: number) {
  // The ETag belongs to the answer as a whole, which therefore stays one object.
  return queryOptions({ queryKey: ['orders.get', id], queryFn: () => tagged(api.orders.get(id)), structuralSharing: false });
}

export function orderHistory(id: number) {
  return queryOptions({ queryKey: ['orders.list_edits', id], queryFn: () => api.orders.list_edits(id) });
}
