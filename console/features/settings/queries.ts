import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';

export const settingsRecord = recordOf('settings.get', api.settings.get)();
export const preferences = queryOf('preferences.list', api.preferences.list)();
export const myTokens = queryOf('me.list_tokens', api.me.list_tokens)();
export const myPasskeys = queryOf('me.list_passkeys', api.me.list_passkeys)();
export const mySessions = queryOf('me.list_sessions', api.me.list_sessions)();
export const sessionsOf = queryOf('admins.list_sessions', api.admins.list_sessions);
export const myAgents = queryOf('me.list_agents', api.me.list_agents)();
export const allAgents = queryOf('admins.list_agents', api.admins.list_agents)();
export const runnerStatus = queryOf('runner.status', api.runner.status, { refetchInterval: 2_000 })();

export const invitations = queryOf('admin_invitations.list', api.admin_invitations.list)();
/** As many roles as any shop has. */
export const allRoles = queryOf('roles.list', () => api.roles.list({ per_page: 100 }))();
export const holdersOf = queryOf('admins.list', (role_id: number) => api.admins.list({ role_id, per_page: 100 }));

export function rolesPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search, cursor }) };
  return rowsQuery('roles.list', query, () => api.roles.list(query));
}

export function adminsPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search, cursor }) };
  return rowsQuery('admins.list', query, () => api.admins.list(query));
}

export function endpointsPage(search: string | undefined, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search, cursor }) };
  return rowsQuery('webhooks.list', query, () => api.webhooks.list(query));
}

/** What these pages change. */
export const calls = api;
