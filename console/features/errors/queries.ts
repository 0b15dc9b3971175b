import { keepPreviousData } from '@tanstack/react-query';
import type { TaskError } from '../../../contract/task-errors.ts';
import { api, ifMatch } from '../../api/client.ts';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { ErrorsSearch } from './routes.ts';

const PAGE = 50;

export function errorsPage({ state: wanted, task, version, q, cursor }: ErrorsSearch) {
  const state: TaskError['state'] | undefined = wanted === 'all' ? undefined : (wanted ?? 'open');
  const query = { limit: PAGE, ...defined({ state, task_id: task, version, q, cursor }) };
  return queryOf('ai_tasks.list_errors', api.ai_tasks.list_errors, { placeholderData: keepPreviousData })(query);
}

/** An error with the ETag for a change of its state. */
export const errorRecord = recordOf('ai_tasks.get_error', api.ai_tasks.get_error);

export const setState = (id: number, state: TaskError['state'], etag: string | undefined) =>
  api.ai_tasks.update_error(id, { state }, ifMatch(etag));
