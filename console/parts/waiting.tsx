import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { queryOf } from './queries.ts';

/** The versions of all tasks that wait for an approval. */
export const pendingVersions = queryOf('ai_tasks.list_pending_versions', api.ai_tasks.list_pending_versions)();

/** The questions of all runs that wait for an answer. */
export const openPrompts = queryOf('ai_tasks.list_open_prompts', api.ai_tasks.list_open_prompts)();

/** How much waits for a person, beside the area's name in the navigation; nothing where nothing waits. */
export function WaitingCount() {
  const versions = useQuery(pendingVersions);
  const prompts = useQuery(openPrompts);
  const count = (versions.data?.length ?? 0) + (prompts.data?.length ?? 0);
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span className="nav-count">
        {count}
        <span className="visually-hidden"> {text.areas.waiting}</span>
      </span>
    </>
  );
}
