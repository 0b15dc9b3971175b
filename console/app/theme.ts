import { keptChoice } from '../ui/choice.ts';

export type Theme = 'light' | 'dark' | 'system';

const choice = keptChoice('backroom.theme');
const dark = matchMedia('(prefers-color-scheme: dark)');

const themeOf = (kept: string | null): Theme => (kept === 'light' || kept === 'dark' ? kept : 'system');

function show(): void {
  const theme = themeOf(choice.get());
  document.documentElement.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
}

/** Called once, before anything is drawn. */
export function startTheme(): void {
  show();
  dark.addEventListener('change', show);
}

export function setTheme(theme: Theme): void {
  choice.set(theme === 'system' ? null : theme);
  show();
}

export function useTheme(): Theme {
  return themeOf(choice.use());
}
