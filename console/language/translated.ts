import { translations } from './language.ts';
import type { Translations } from './translations.ts';

/** The shape of texts in any language: whatever a text says in English, it is some text. */
export type Words<T> = T extends (...values: infer Values) => string
  ? (...values: Values) => string
  : T extends string
    ? string
    : { [Key in keyof T]: Words<T[Key]> };

/** The texts of a file in the language of the page. */
export function translated<Name extends keyof Translations>(name: Name, english: Translations[Name]): Translations[Name] {
  return translations?.[name] ?? english;
}
