import { type Language, language } from './language.ts';
import type { Translations } from './translations.ts';

/** The shape of texts in any language: whatever a text says in English, it is some text. */
export type Words<T> = T extends (...values: infer Values) => string
  ? (...values: Values) => string
  : T extends string
    ? string
    : { [Key in keyof T]: Words<T[Key]> };

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ default: Translations }>> = {
  de: () => import('../texts/de/index.ts'),
  hu: () => import('../texts/hu/index.ts'),
  fr: () => import('../texts/fr/index.ts'),
};

let translations: Translations | null = null;

/** The texts of a file in the language of the page. */
export function translated<Name extends keyof Translations>(name: Name, english: Translations[Name]): Translations[Name] {
  return translations?.[name] ?? english;
}

/** Loads the texts of the page's language; where that fails, the page is English. */
export async function loadTranslations(): Promise<void> {
  if (language === 'en') return;
  try {
    translations = (await loaders[language]()).default;
  } catch (error) {
    console.warn('the texts of the language could not be loaded', error);
  }
}
