import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Notification } from '../../contract/notifications.ts';
import { api } from '../api/client.ts';
import { queryOf } from './queries.ts';

type Page = { unread_count: number; notifications: Notification[] };

/** The newest notifications, with the number of unread ones: one request for all parts of the page that tell of them. */
export const newestNews = queryOf('notifications.list', api.notifications.list)({ limit: 20 });

/** What is being marked as read: how often each one was told, or all. It is shown as read before the server has answered. */
type Marking = { all: boolean; counts: ReadonlyMap<number, number> };
let marking: Marking = { all: false, counts: new Map() };
const listeners = new Set<() => void>();

function mark(next: Marking): void {
  marking = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A page of notifications as the admin sees it now. */
export function useMarked<T extends Page>(page: T | undefined): T | undefined {
  const { all, counts } = useSyncExternalStore(subscribe, () => marking);
  if (!page) return undefined;
  const isMarked = ({ id, count }: Notification): boolean => all || counts.get(id) === count;
  const marked = page.notifications.filter((one) => !one.read && isMarked(one)).length;
  return {
    ...page,
    unread_count: all ? 0 : Math.max(0, page.unread_count - marked),
    notifications: page.notifications.map((one) => ({ ...one, read: one.read || isMarked(one) })),
  };
}

/** The newest notifications as the admin sees them now. */
export function useNews() {
  const news = useQuery(newestNews);
  return { ...news, data: useMarked(news.data) };
}

/** Reading one is for oneself: others still see it as new. One that was told again meanwhile stays unread. */
export function useReadNews() {
  const queries = useQueryClient();
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['notifications.list'] });
  const read = useMutation({
    mutationFn: ({ id, count }: Pick<Notification, 'id' | 'count'>) => api.notifications.mark_read(id, { count }),
    onMutate: ({ id, count }) => mark({ ...marking, counts: new Map(marking.counts).set(id, count) }),
    async onSettled(_, __, { id }) {
      await again();
      const counts = new Map(marking.counts);
      counts.delete(id);
      mark({ ...marking, counts });
    },
  });
  const readAll = useMutation({
    mutationFn: () => api.notifications.mark_all_read(),
    onMutate: () => mark({ ...marking, all: true }),
    async onSettled() {
      await again();
      mark({ ...marking, all: false });
    },
  });
  return { read, readAll };
}
