import { de } from './de.ts';
import { en } from './en.ts';
import { hu } from './hu.ts';
import type { Phrases } from './phrases.ts';

const languages = new Map<string, Phrases>(Object.entries({ en, de, hu }));

/** The phrases for a locale such as `de-AT`; English if there are none in its language. */
export function phrasesFor(locale: string): Phrases {
  const [language = ''] = locale.toLowerCase().split(/[-_]/);
  return languages.get(language) ?? en;
}
