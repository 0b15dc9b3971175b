import { queryOptions } from '@tanstack/react-query';
import { api, tagged } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { defined } from '../../parts/search.ts';

export function settingsRecord() {
  return queryOptions({ queryKey: ['settings.get'], queryFn: () => tagged(api.settings.get()), structuralSharing: false });
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

export const calls = {
  updateSettings: api.settings.update,
  updatePreference: api.preferences.update,
  resetPreference: api.preferences.reset,
  createToken: api.me.create_token,
  revokeToken: api.me.revoke_token,
  getAdmin: api.admins.get,
  createAdmin: api.admins.create,
  updateAdmin: api.admins.update,
  deleteAdmin: api.admins.delete,
  createTokenFor: api.admins.create_token,
  getEndpoint: api.webhooks.get,
  createEndpoint: api.webhooks.create,
  updateEndpoint: api.webhooks.update,
  deleteEndpoint: api.webhooks.delete,
  rotateSecret: api.webhooks.rotate_secret,
};
