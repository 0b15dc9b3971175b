import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';
import { defined } from '../../parts/search.ts';
import type { CustomersSearch } from './search.ts';

const LEDGER_PAGE = 20;
const NEWEST_ORDERS = 5;

export function customersPage({ q, account, from, to, sort }: CustomersSearch, cursor: string | undefined) {
  const query = {
    per_page: PAGE_SIZE,
    ...defined({
      q,
      registered: account === undefined ? undefined : account === 'with',
      created_from: from,
      created_to: to,
      sort,
      cursor,
    }),
  };
  return rowsQuery('customers.list', query, () => api.customers.list(query));
}

/** A customer with the ETag. */
export function customerRecord(id: number) {
  return recordQuery(['customers.get', id], () => api.customers.get(id));
}

export function customerAddresses(id: number) {
  return queryOptions({ queryKey: ['customers.list_addresses', id], queryFn: () => api.customers.list_addresses(id) });
}

export function customerNotes(id: number) {
  return queryOptions({ queryKey: ['customers.list_notes', id], queryFn: () => api.customers.list_notes(id) });
}

export function customerFiles(id: number) {
  return queryOptions({ queryKey: ['customers.list_files', id], queryFn: () => api.customers.list_files(id) });
}

export function customerAccess(id: number) {
  return queryOptions({ queryKey: ['customers.list_access_groups', id], queryFn: () => api.customers.list_access_groups(id) });
}

export function customerCredits(id: number) {
  return queryOptions({ queryKey: ['customers.get_credits', id], queryFn: () => api.customers.get_credits(id) });
}

export function customerLedger(id: number) {
  return infiniteQueryOptions({
    queryKey: ['customers.list_credit_transactions', id],
    queryFn: ({ pageParam }) => api.customers.list_credit_transactions(id, { limit: LEDGER_PAGE, ...defined({ before_id: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ transactions }) => (transactions.length < LEDGER_PAGE ? undefined : transactions.at(-1)?.id),
  });
}

export function customerOrders(id: number) {
  const query = { customer_id: id, per_page: NEWEST_ORDERS };
  return queryOptions({ queryKey: ['orders.list', query], queryFn: () => api.orders.list(query) });
}

/** Subscriptions that go on when the customer is deleted. */
export function activeSubscriptions(id: number) {
  const query = { customer_id: id, status: 'active', per_page: 1 } as const;
  return queryOptions({ queryKey: ['subscriptions.list', query], queryFn: () => api.subscriptions.list(query) });
}

export function discountGroups() {
  const query = { per_page: 100 };
  return queryOptions({ queryKey: ['discount_groups.list', query], queryFn: () => api.discount_groups.list(query) });
}

/** What the pages of customers change, and what they read again after 412. */
export const calls = { ...api.customers, revoke_grant: api.access_groups.revoke_grant };
