import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { SubscriptionsSearch } from './search.ts';

export function subscriptionsPage({ q, status, customer, product, order }: SubscriptionsSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ q, status, customer_id: customer, product_id: product, order_id: order, cursor }) };
  return rowsQuery('subscriptions.list', query, () => api.subscriptions.list(query));
}

export const subscriptionRecord = recordOf('subscriptions.get', api.subscriptions.get);
export const invoices = queryOf('subscriptions.list_invoices', api.subscriptions.list_invoices);
export const calls = api.subscriptions;
