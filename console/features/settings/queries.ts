import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';

export const settingsRecord = recordOf('settings.get', api.settings.get)();
export const preferences = queryOf('preferences.list', api.preferences.list)();
export const myTokens = queryOf('me.list_tokens', api.me.list_tokens)();
export const myAgents = queryOf('me.list_agents', api.me.list_agents)();
export const allAgents = queryOf('admins.list_agents', api.admins.list_agents)();
export const runnerStatus = queryOf('runner.status', api.runner.status, { refetchInterval: 2_000 })();

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
