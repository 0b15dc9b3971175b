import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { defined } from '../../parts/search.ts';
import type { ActivitySearch } from './search.ts';

export const NOTIFICATIONS = 50;
const DELIVERIES = 50;
const mailStatuses = ['queued', 'sent', 'failed'] as const;
const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export function notificationsPage(offset: number) {
  const query = { limit: NOTIFICATIONS, offset };
  return queryOptions({
    queryKey: ['notifications.list', query],
    queryFn: () => api.notifications.list(query),
    placeholderData: keepPreviousData,
  });
}

export function logPage({ source, cursor }: ActivitySearch) {
  const query = defined({ source, cursor });
  return queryOptions({ queryKey: ['logs.list', query], queryFn: () => api.logs.list(query), placeholderData: keepPreviousData });
}

export function auditPage({ action, type, id, from, to, cursor }: ActivitySearch) {
  const query = defined({ action, resource_type: type, resource_id: id, from, to, cursor });
  return queryOptions({
    queryKey: ['audit_log.list', query],
    queryFn: () => api.audit_log.list(query),
    placeholderData: keepPreviousData,
  });
}

export function mailsPage({ status, cursor }: ActivitySearch) {
  const query = { per_page: 50, ...defined({ status: mailStatuses.find((one) => one === status), cursor }) };
  return queryOptions({ queryKey: ['mails.list', query], queryFn: () => api.mails.list(query), placeholderData: keepPreviousData });
}

export function endpoints() {
  return queryOptions({ queryKey: ['webhooks.list', { per_page: 100 }], queryFn: () => api.webhooks.list({ per_page: 100 }) });
}

export function deliveriesPage(endpoint: number, { status, before }: ActivitySearch) {
  const query = { limit: DELIVERIES, ...defined({ status: deliveryStatuses.find((one) => one === status), before_id: before }) };
  return queryOptions({
    queryKey: ['webhooks.list_deliveries', endpoint, query],
    queryFn: () => api.webhooks.list_deliveries(endpoint, query),
  });
}

/** What these pages change. */
export const calls = api;
