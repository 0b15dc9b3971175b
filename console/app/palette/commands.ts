import { useRouter } from '@tanstack/react-router';
import { signOut } from '../../api/sign-in.ts';
import { useMay } from '../../parts/shop.ts';
import { text } from '../../texts/app.ts';
import { namedActs, setLetters, useLetters } from '../../ui/shortcuts.ts';
import { type Area, areas, newPath } from '../areas.ts';
import { setTheme, type Theme, useTheme } from '../theme.ts';

const t = text.palette;
const themes: readonly Theme[] = ['light', 'dark', 'system'];

/** What the palette offers to do or to open. `also`: what it is known by beside its name. */
export type Entry = { id: string; name: string; note?: string; also?: string; keys?: string; act(): void };

/** The pages that the admin may see. */
export function usePages(): Entry[] {
  const may = useMay();
  const { history } = useRouter();
  return areas
    .filter(({ permission }) => permission === undefined || may(permission))
    .map(({ to, name, keys }) => ({ id: to, name, ...(keys === undefined ? {} : { keys }), act: () => history.push(to) }));
}

/** What the admin may do: first on the page that is open, then anywhere. */
export function useCommands(): Entry[] {
  const may = useMay();
  const { history } = useRouter();
  const theme = useTheme();
  const letters = useLetters();
  const mayCreate = ({ permission }: Area): boolean => permission !== undefined && may(permission.replace(/read$/, 'write'));
  return [
    ...namedActs().map((one) => ({ id: one.keys, ...one })),
    ...areas.flatMap((area) =>
      area.create === undefined || !mayCreate(area)
        ? []
        : [{ id: `new ${area.to}`, name: area.create, act: () => history.push(newPath(area)) }],
    ),
    ...themes.filter((one) => one !== theme).map((one) => ({ id: one, name: t.themes[one], act: () => setTheme(one) })),
    { id: 'letters', name: letters ? t.lettersOff : t.lettersOn, act: () => setLetters(!letters) },
    { id: 'sign out', name: text.app.signOut, act: signOut },
  ];
}
