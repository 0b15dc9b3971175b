import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';
import { defined } from '../../parts/search.ts';
import type { SubscriptionsSearch } from './search.ts';

export function subscriptionsPage({ q, status, customer, product, order }: SubscriptionsSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ q, status, customer_id: customer, product_id: product, order_id: order, cursor }) };
  return rowsQuery('subscriptions.list', query, () => api.subscriptions.list(query));
}

export function subscriptionRecord(id: number) {
  return recordQuery(['subscriptions.get', id], () => api.subscriptions.get(id));
}

export function invoices(id: number) {
  return queryOptions({ queryKey: ['subscriptions.list_invoices', id], queryFn: () => api.subscriptions.list_invoices(id) });
}

export const calls = api.subscriptions;
