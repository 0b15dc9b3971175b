import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { CustomerFilters } from './search.ts';

const LEDGER_PAGE = 20;
const NEWEST_ORDERS = 5;

export function customersPage({ q, account, from, to, sort }: CustomerFilters, cursor: string | undefined) {
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
export const customerRecord = recordOf('customers.get', api.customers.get);
export const customerAddresses = queryOf('customers.list_addresses', api.customers.list_addresses);
export const customerFiles = queryOf('customers.list_files', api.customers.list_files);
export const customerAccess = queryOf('customers.list_access_groups', api.customers.list_access_groups);
export const customerCredits = queryOf('customers.get_credits', api.customers.get_credits);

export function customerLedger(id: number) {
  return infiniteQueryOptions({
    queryKey: ['customers.list_credit_transactions', id],
    queryFn: ({ pageParam }) => api.customers.list_credit_transactions(id, { limit: LEDGER_PAGE, ...defined({ before_id: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ transactions }) => (transactions.length < LEDGER_PAGE ? undefined : transactions.at(-1)?.id),
  });
}

export function customerOrders(id: number) {
  return queryOf('orders.list', api.orders.list)({ customer_id: id, per_page: NEWEST_ORDERS });
}

/** Subscriptions that go on when the customer is deleted. */
export function activeSubscriptions(id: number) {
  return queryOf('subscriptions.list', api.subscriptions.list)({ customer_id: id, status: 'active', per_page: 1 });
}

export const discountGroups = queryOf('discount_groups.list', api.discount_groups.list)({ per_page: 100 });

/** What the pages of customers change, and what they read again after 412. */
export const calls = api.customers;
