import { queryOptions, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { countText } from '../language/formats.ts';
import { text } from '../texts/app.ts';
import { dayBefore, todayIn } from '../ui/days.ts';
import { queryOf } from './queries.ts';
import { useMay, useShop } from './shop.ts';

/** The versions of all tasks that wait for an approval. */
export const pendingVersions = queryOf('ai_tasks.list_pending_versions', api.ai_tasks.list_pending_versions)();

/** The questions of all runs that wait for an answer. */
export const openPrompts = queryOf('ai_tasks.list_open_prompts', api.ai_tasks.list_open_prompts)();

/** The plans of all tasks that were left to a second person. */
export const pendingPlans = queryOf('ai_tasks.list_pending_plans', api.ai_tasks.list_pending_plans)();

/** What one owner has proposed and another can still apply. */
export const proposedChanges = queryOptions({
  queryKey: ['policy_changes.list'],
  queryFn: async () => (await api.policy_changes.list({ state: 'waiting' })).filter(({ state }) => state === 'waiting'),
});

/** What waits for a person at Approvals, as far as they may see it. */
export function useApprovals() {
  const may = useMay();
  const enabled = may('admin_api.ai_tasks.read');
  const versions = useQuery({ ...pendingVersions, enabled });
  const prompts = useQuery({ ...openPrompts, enabled });
  const plans = useQuery({ ...pendingPlans, enabled });
  const changes = useQuery({ ...proposedChanges, enabled: may('admin_api.admins.read') });
  const asked = [versions, prompts, plans, changes];
  const [left = [], proposed = []] = [plans.data, changes.data];
  const rows = {
    prompts: prompts.data ?? [],
    // A proposal whose plan was left to a second person is that plan.
    versions: versions.data?.filter(({ version_id }) => left.every((plan) => plan.proposal_version_id !== version_id)) ?? [],
    plans: left,
    changes: proposed,
  };
  return { ...rows, asked, count: Object.values(rows).reduce((sum, { length }) => sum + length, 0) };
}

/** These are asked for one row, because their totals are all that is shown. */
const unanswered = queryOf('inquiries.list', api.inquiries.list)({ answered: false, per_page: 1 });

const unsent = queryOf('orders.list', api.orders.list)({ needs: 'sending', per_page: 1 });

export const failures = ['failed', 'timed_out'] as const;
/** So many runs at most are counted. */
const COUNTED = 100;
/** The runs that came to such an end since a day; dry runs change nothing, so nobody has to look after them. */
export const failedRuns = (status: (typeof failures)[number], from: string) =>
  queryOf('ai_tasks.list_all_runs', api.ai_tasks.list_all_runs)({ status, dry_run: false, from, limit: COUNTED });

/** What waits in an area. `words`: how much of what; `list`: the list that has exactly that. Amber is what waits for a person, red what failed. */
export type Waiting = {
  count: number;
  shown: string;
  words: string;
  list: Pick<LinkProps, 'to' | 'search'>;
  tone: 'plain' | 'need' | 'fail';
};

const t = text.areas.waiting;

/** What waits, by the path of the area in which it does; an area where nothing waits is left out. */
export function useWaiting(): Partial<Record<string, Waiting>> {
  const may = useMay();
  const mayTasks = may('admin_api.ai_tasks.read');
  const approvals = useApprovals().count;
  const inquiries = useQuery({ ...unanswered, enabled: may('admin_api.inquiries.read') });
  const orders = useQuery({ ...unsent, enabled: may('admin_api.orders.read') });
  const from = dayBefore(todayIn(useShop().timezone));
  const failed = useQuery({ ...failedRuns('failed', from), enabled: mayTasks });
  const { data: runs = [], next_cursor: more = null } = failed.data ?? {};
  const shown = `${countText(runs.length)}${more === null ? '' : '+'}`;
  const toFailed: Waiting['list'] = { to: '/runs', search: { status: 'failed', dry: 'none', from } };
  const found: Record<string, Waiting> = {
    '/orders': waits(orders.data?.total, t.send, { to: '/orders', search: { needs: 'sending' } }, 'plain'),
    '/runs': { count: runs.length, shown, words: t.failed(shown), list: toFailed, tone: 'fail' },
    '/approvals': waits(approvals, t.person, { to: '/approvals' }, 'need'),
    '/inquiries': waits(inquiries.data?.total, t.answer, { to: '/inquiries', search: { answered: false } }, 'need'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, { count }]) => count > 0));
}

function waits(count = 0, words: (count: number) => string, list: Waiting['list'], tone: Waiting['tone']): Waiting {
  return { count, shown: countText(count), words: words(count), list, tone };
}
