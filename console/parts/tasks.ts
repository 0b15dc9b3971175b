import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { recordOf } from './queries.ts';
import { useReload } from './reload.ts';

const FOUND = 8;

/** A task with its versions, and the ETag for a change of its settings. */
export const taskRecord = recordOf('ai_tasks.get', api.ai_tasks.get);

/** Tasks by name, for a picker. */
export function foundTasks(typed: string, more: { limit?: number; include_deleted?: true } = {}) {
  const query = { limit: FOUND, ...more, ...(typed === '' ? {} : { search: typed }) };
  return queryOptions({
    queryKey: ['ai_tasks.list', query],
    queryFn: async () => (await api.ai_tasks.list(query)).tasks.map(({ id, name }) => ({ id, name })),
  });
}

/**
 * Reads again what an act on a task changes, on one of its versions, runs or questions: they themselves, with the lists and counts of
 * what waits, then the notifications of it, and the logs. What a run then does to the shop, the stream of changes tells.
 */
export function useReloadTasks(): () => Promise<void> {
  const reload = useReload();
  return () => reload('ai_tasks', 'replays', 'notifications', 'audit_log', 'logs');
}
