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

/** These are asked for one row, because their totals are all that is shown. */
const unanswered = queryOf('inquiries.list', api.inquiries.list)({ answered: false, per_page: 1 });

const unsent = queryOf('orders.list', api.orders.list)({ needs: 'sending', per_page: 1 });

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
  const orders = useQuery({ ...unsent, enabled: may('admin_api.orders.read') });
  const approvals = (versions.data?.length ?? 0) + (prompts.data?.length ?? 0);
  const found: Record<string, Waiting> = {
    '/orders': waits(orders.data?.total, t.send, { to: '/orders', search: { needs: 'sending' } }, 'plain'),
    '/approvals': waits(approvals, t.person, { to: '/approvals' }, 'need'),
    '/inquiries': waits(inquiries.data?.total, t.answer, { to: '/inquiries', search: { answered: false } }, 'need'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, { count }]) => count > 0));
}

function waits(count = 0, words: (count: number) => string, list: Waiting['list'], tone: Waiting['tone']): Waiting {
  return { count, words: words(count), list, tone };
}
