import { useConsoleSettings } from '../parts/console-settings.ts';
import { keptChoice } from '../ui/choice.ts';

/** The groups of the navigation that the admin has folded. */
export function useFoldedGroups(): { folded: readonly string[]; toggle(group: string): void } {
  const {
    settings: { folded_groups: folded },
    save,
  } = useConsoleSettings();
  return {
    folded,
    toggle: (group) => save({ folded_groups: folded.includes(group) ? folded.filter((one) => one !== group) : [...folded, group] }),
  };
}

/** Whether the whole sidebar shows icons alone: a choice of this browser, since it is a matter of its screen. */
const sidebar = keptChoice('backroom.sidebar');

export function useNarrow(): [isNarrow: boolean, set: (isNarrow: boolean) => void] {
  return [sidebar.use() === 'icons', (isNarrow) => sidebar.set(isNarrow ? 'icons' : null)];
}
