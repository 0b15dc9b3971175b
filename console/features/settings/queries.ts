import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';
import { defined } from '../../parts/search.ts';

export function settingsRecord() {
  return recordQuery(['settings.get'], () => api.settings.get());
}

export function preferences() {
  return queryOptions({ queryKey: ['preferences.list'], queryFn: () => api.preferences.list() });
}

export function myTokens() {
  return queryOptions({ queryKey: ['me.list_tokens'], queryFn: () => api.me.list_tokens() });
}

export function adminsPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search, cursor }) };
  return rowsQuery('admins.list', query, () => api.admins.list(query));
}

export function runnerStatus() {
  return queryOptions({ queryKey: ['runner.status'], queryFn: () => api.runner.status(), refetchInterval: 2_000 });
}

export function endpointsPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search, cursor }) };
  return rowsQuery('webhooks.list', query, () => api.webhooks.list(query));
}

/** What these pages change. */
export const calls = api;
