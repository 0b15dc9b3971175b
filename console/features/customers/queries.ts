import { infiniteQueryOptions } from '@tanstack/react-query';
import type { CustomerBulkChange, CustomerBulkPreview } from '../../../contract/customer-bulk.ts';
import { api, once } from '../../api/client.ts';
import type { BulkResult } from '../../parts/list/bulk-bar.tsx';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { CustomerFilters } from './search.ts';

const LEDGER_PAGE = 20;
const NEWEST_ORDERS = 5;

/** The filters as the API names them. */
function filterOf({ q, account, from, to, sort }: CustomerFilters) {
  return defined({
    q,
    registered: account === undefined ? undefined : account === 'with',
    created_from: from,
    created_to: to,
    sort,
  });
}

/** The ids of all customers that match. */
export async function allIds(filters: CustomerFilters): Promise<number[]> {
  return (await api.customers.list_ids(filterOf(filters))).ids;
}

/** Where the customers that match are as a table, or these. */
export function exportPath(filters: CustomerFilters, ids?: ReadonlySet<number>): string {
  const query = ids ? { ids: [...ids].join(',') } : filterOf(filters);
  return `/customers/export?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
}

/** So many customers at most go into one request. */
const BULK_MAX = 250;

/** Does it to any number of customers, some at a time; a second try with the same key has no second effect. */
async function inParts(
  ids: readonly number[],
  send: (customer_ids: number[]) => Promise<{ results: readonly BulkResult[] }>,
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (let at = 0; at < ids.length; at += BULK_MAX) results.push(...(await send(ids.slice(at, at + BULK_MAX))).results);
  return results;
}

type KeyOf = (body: object) => string;

export function previewBulk(ids: readonly number[], change: CustomerBulkChange): Promise<CustomerBulkPreview> {
  return api.customers.preview_bulk({ customer_ids: [...ids], change });
}

export function setDiscountGroups(ids: readonly number[], groupId: number | null, keyOf: KeyOf): Promise<BulkResult[]> {
  return inParts(ids, (customer_ids) => {
    const body = { customer_ids, discount_group_id: groupId };
    return api.customers.bulk_discount_group(body, once(keyOf(body)));
  });
}

type Adjustment = { delta: number; expires_in_days: number | null; note: string | null };

export function adjustAll(ids: readonly number[], adjustment: Adjustment, keyOf: KeyOf): Promise<BulkResult[]> {
  return inParts(ids, (customer_ids) => {
    const body = { customer_ids, ...adjustment };
    return api.customers.bulk_credits(body, once(keyOf(body)));
  });
}

type Grant = { expires_at: string | null; note: string | null };

/** Grants customers access to a group. */
export function grantAll(groupId: number, ids: readonly number[], grant: Grant, keyOf: KeyOf): Promise<BulkResult[]> {
  return inParts(ids, (customer_ids) => {
    const body = { customer_ids, ...grant };
    return api.access_groups.create_grants(groupId, body, once(keyOf({ groupId, ...body })));
  });
}

export const accessGroups = queryOf('access_groups.list', api.access_groups.list, { staleTime: 60_000 })();

export function customersPage(filters: CustomerFilters, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...filterOf(filters), ...defined({ cursor }) };
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
