import { compare } from '../language/formats.ts';
import { language } from '../language/language.ts';
import { folded, languagesWith, type Named } from './named.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const lists = new Map<string, readonly Named[]>();
const names = namesIn(language);

/** What a language or its variety in a country is called: `de-AT`. Undefined for what is none. */
export function languageName(tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch {
    return undefined;
  }
}

/** The languages with a code of two letters, known by their names in some languages and in their own. */
export function languagesIn(languages: readonly string[]): readonly Named[] {
  const key = languages.join();
  const list = lists.get(key) ?? listed(languagesWith(languages));
  lists.set(key, list);
  return list;
}

function listed(languages: readonly string[]): readonly Named[] {
  const everywhere = languages.map(namesIn);
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .flatMap((code) => {
      const name = languageName(code);
      // A code of the past stands for the language that it became.
      if (name === undefined || Intl.getCanonicalLocales(code)[0] !== code) return [];
      const known = [code, ...[...everywhere, namesIn(code)].flatMap((one) => one.of(code) ?? [])].map(folded);
      return [{ code, name, known: [...new Set(known)] }];
    })
    .sort((a, b) => compare(a.name, b.name));
}

/** What is typed as a tag, such as `de-AT`, where that is a language with more than its own code. */
export function languageTag(typed: string): Named | undefined {
  try {
    const [code] = Intl.getCanonicalLocales(typed.trim());
    const name = code === undefined || !code.includes('-') ? undefined : languageName(code);
    return code === undefined || name === undefined ? undefined : { code, name, known: [folded(code), folded(name)] };
  } catch {
    return undefined;
  }
}

function namesIn(one: string): Intl.DisplayNames {
  return new Intl.DisplayNames(one, { type: 'language', fallback: 'none' });
}
