import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Me, meQuery, useMe } from './shop.ts';

type Settings = Me['console'];

const KEY = ['me.update'];

/** How the console looks for the admin, on every device. What is changed is shown so before it is saved. */
export function useConsoleSettings(): { settings: Settings; save(change: Partial<Settings>): void } {
  const queries = useQueryClient();
  const { console: settings } = useMe();
  const { mutate: save } = useMutation({
    mutationKey: KEY,
    // One after the other, so that the last one counts.
    scope: { id: KEY.join() },
    mutationFn: (change: Partial<Settings>) => api.me.update({ console: change }),
    async onMutate(change) {
      queries.setQueryData<Me>(meQuery.queryKey, (me) => me && { ...me, console: { ...me.console, ...change } });
      await queries.cancelQueries({ queryKey: meQuery.queryKey });
    },
    onSettled: () => (queries.isMutating({ mutationKey: KEY }) > 1 ? undefined : queries.invalidateQueries({ queryKey: meQuery.queryKey })),
  });
  return { settings, save };
}
