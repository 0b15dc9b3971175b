import { compare } from '../language/formats.ts';
import { language } from '../language/language.ts';
import { folded, languagesWith, type Named } from './named.ts';

/** What the browser names, too, and is no country: groups of countries, and codes for tests. */
const NO_COUNTRY = /^(EU|EZ|UN|QO|XA|XB|ZZ)$/;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const names = namesIn(language);
const lists = new Map<string, readonly Named[]>();

export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
}

/** All countries in the order of their names; each is also known by its names in these languages and in its own. */
export function countriesIn(languages: readonly string[]): readonly Named[] {
  const key = languages.join();
  const list = lists.get(key) ?? listed(languagesWith(languages));
  lists.set(key, list);
  return list;
}

function listed(languages: readonly string[]): readonly Named[] {
  const everywhere = languages.flatMap((language) => [namesIn(language), namesIn(language, 'short')]);
  const native = new Map<string, Intl.DisplayNames>();
  const countries = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = countryName(code);
    const region = new Intl.Locale(`und-${code}`);
    // A code of the past stands for the country that it became.
    if (name === undefined || region.region !== code || NO_COUNTRY.test(code)) return [];
    const spoken = region.maximize().language;
    const own = native.get(spoken) ?? namesIn(spoken);
    native.set(spoken, own);
    const known = [code, ...[...everywhere, own].flatMap((list) => list.of(code) ?? [])].map(folded);
    return [{ code, name, known: [...new Set(known)] }];
  });
  return countries.sort((a, b) => compare(a.name, b.name));
}

function namesIn(language: string, style: 'long' | 'short' = 'long'): Intl.DisplayNames {
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style });
}
