import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Me, meQuery, useMe } from '../parts/shop.ts';
import { keptChoice } from '../ui/choice.ts';

const KEY = ['me.update', 'folded_groups'];

/** The groups of the navigation that the admin has folded, on every device; what is folded is shown so before it is saved. */
export function useFoldedGroups(): { folded: readonly string[]; toggle(group: string): void } {
  const queries = useQueryClient();
  const { folded_groups: folded } = useMe().console;
  const save = useMutation({
    mutationKey: KEY,
    // One after the other, so that the last one counts.
    scope: { id: KEY.join() },
    mutationFn: (groups: string[]) => api.me.update({ console: { folded_groups: groups } }),
    async onMutate(groups) {
      queries.setQueryData<Me>(meQuery.queryKey, (me) => me && { ...me, console: { ...me.console, folded_groups: groups } });
      await queries.cancelQueries({ queryKey: meQuery.queryKey });
    },
    onSettled: () => (queries.isMutating({ mutationKey: KEY }) > 1 ? undefined : queries.invalidateQueries({ queryKey: meQuery.queryKey })),
  });
  return {
    folded,
    toggle: (group) => save.mutate(folded.includes(group) ? folded.filter((one) => one !== group) : [...folded, group]),
  };
}

/** Whether the whole sidebar shows icons alone: a choice of this browser, since it is a matter of its screen. */
const sidebar = keptChoice('backroom.sidebar');

export function useNarrow(): [isNarrow: boolean, set: (isNarrow: boolean) => void] {
  return [sidebar.use() === 'icons', (isNarrow) => sidebar.set(isNarrow ? 'icons' : null)];
}
