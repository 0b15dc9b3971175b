import { queryOptions } from '@tanstack/react-query';
import { api, tagged } from '../../api/client.ts';

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
  const query = { per_page: 50, ...(search === undefined ? {} : { search }), ...(cursor === undefined ? {} : { cursor }) };
  return queryOptions({ queryKey: ['admins.list', query], queryFn: () => api.admins.list(query) });
}

export function adminRecord(id: number) {
  return queryOptions({ queryKey: ['admins.get', id], queryFn: () => tagged(api.admins.get(id)), structuralSharing: false });
}

export function runnerStatus() {
  return queryOptions({ queryKey: ['runner.status'], queryFn: () => api.runner.status(), refetchInterval: 2_000 });
}

export function endpointsPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: 50, ...(search === undefined ? {} : { search }), ...(cursor === undefined ? {} : { cursor }) };
  return queryOptions({ queryKey: ['webhooks.list', query], queryFn: () => api.webhooks.list(query) });
}

export function endpointRecord(id: number) {
  return queryOptions({ queryKey: ['webhooks.get', id], queryFn: () => tagged(api.webhooks.get(id)), structuralSharing: false });
}

export const calls = {
  updateSettings: api.settings.update,
  updatePreference: api.preferences.update,
  resetPreference: api.preferences.reset,
  createToken: api.me.create_token,
  revokeToken: api.me.revoke_token,
  createAdmin: api.admins.create,
  updateAdmin: api.admins.update,
  deleteAdmin: api.admins.delete,
  createTokenFor: api.admins.create_token,
  createEndpoint: api.webhooks.create,
  updateEndpoint: api.webhooks.update,
  deleteEndpoint: api.webhooks.delete,
  rotateSecret: api.webhooks.rotate_secret,
};
