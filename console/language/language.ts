import type { ConsoleSettings } from '../../contract/admins.ts';

export type Language = NonNullable<ConsoleSettings['language']>;

/** The languages of the console, each as those who read it call it. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', hu: 'Magyar', fr: 'Français' };

/** In the order in which they are offered. */
export const languages: readonly Language[] = ['en', 'de', 'hu', 'fr'];

/** Where the browser keeps what the admin chose, so that a page begins in that language before it knows the admin. */
const KEY = 'backroom.language';

/** The language to begin in: the one chosen last on this device, else the first of the browser's that the console has. */
export function preferred(): Language {
  // Outside a browser, where tests read texts, they are English.
  if (!('document' in globalThis)) return 'en';
  const kept = localStorage.getItem(KEY);
  return kept !== null && isLanguage(kept) ? kept : ofBrowser();
}

/** Keeps the choice on this device; null: as the browser asks. Gives the language of the next page. */
export function keep(chosen: Language | null): Language {
  if (chosen === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  return preferred();
}

function ofBrowser(): Language {
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languageNames, code);
}

/** The language of the page, until it is loaded again. */
export const language = preferred();
