import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { queryOf } from './queries.ts';
import { useMay } from './shop.ts';

/** The versions of all tasks that wait for an approval. */
export const pendingVersions = queryOf('ai_tasks.list_pending_versions', api.ai_tasks.list_pending_versions)();

/** The questions of all runs that wait for an answer. */
export const openPrompts = queryOf('ai_tasks.list_open_prompts', api.ai_tasks.list_open_prompts)();

/** Asked for one row, because its total is all that is shown. */
const unanswered = queryOf('inquiries.list', api.inquiries.list)({ answered: false, per_page: 1 });

/** What waits in an area. `words`: how much of what; `list`: the list that has exactly that. Amber is what waits for a person. */
export type Waiting = { count: number; words: string; list: Pick<LinkProps, 'to' | 'search'>; tone: 'plain' | 'need' };

const t = text.areas.waiting;

/** What waits, by the path of the area in which it does; an area where nothing waits is left out. */
export function useWaiting(): Partial<Record<string, Waiting>> {
  const may = useMay();
  const mayTasks = may('admin_api.ai_tasks.read');
  const versions = useQuery({ ...pendingVersions, enabled: mayTasks });
  const prompts = useQuery({ ...openPrompts, enabled: mayTasks });
  const inquiries = useQuery({ ...unanswered, enabled: may('admin_api.inquiries.read') });
  const approvals = (versions.data?.length ?? 0) + (prompts.data?.length ?? 0);
  const asked = inquiries.data?.total ?? 0;
  return {
    ...(approvals > 0 ? { '/approvals': { count: approvals, words: t.person(approvals), list: { to: '/approvals' }, tone: 'need' } } : {}),
    ...(asked > 0
      ? { '/inquiries': { count: asked, words: t.answer(asked), list: { to: '/inquiries', search: { answered: false } }, tone: 'need' } }
      : {}),
  };
}
