import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queryOf } from '../../parts/queries.ts';
import { defined, oneOf } from '../../parts/search.ts';
import type { ActivitySearch } from './search.ts';

export const NOTIFICATIONS = 50;
const DELIVERIES = 50;
const mailStatuses = ['queued', 'sent', 'failed'] as const;
const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const kept = { placeholderData: keepPreviousData };
const notifications = queryOf('notifications.list', api.notifications.list, kept);
const logs = queryOf('logs.list', api.logs.list, kept);
const entries = queryOf('audit_log.list', api.audit_log.list, kept);
const mails = queryOf('mails.list', api.mails.list, kept);
const deliveries = queryOf('webhooks.list_deliveries', api.webhooks.list_deliveries);
export const endpoints = queryOf('webhooks.list', api.webhooks.list)({ per_page: 100 });

export function notificationsPage(offset: number) {
  return notifications({ limit: NOTIFICATIONS, offset });
}

export function logPage({ source, cursor }: ActivitySearch) {
  return logs(defined({ source, cursor }));
}

export function auditPage({ action, type, id, from, to, cursor }: ActivitySearch) {
  return entries(defined({ action, resource_type: type, resource_id: id, from, to, cursor }));
}

export function mailsPage({ status, cursor }: ActivitySearch) {
  return mails({ per_page: 50, ...defined({ status: oneOf(mailStatuses, status), cursor }) });
}

export function deliveriesPage(endpoint: number, { status, before }: ActivitySearch) {
  return deliveries(endpoint, { limit: DELIVERIES, ...defined({ status: oneOf(deliveryStatuses, status), before_id: before }) });
}

/** What these pages change. */
export const calls = api;
