import { compare } from '../language/formats.ts';
import { language } from '../language/language.ts';

export type Country = {
  code: string;
  name: string;
  /** Each name that it is known by, and its code, as words without accents. */
  known: readonly string[];
};

/** What the browser names, too, and is no country: groups of countries, and codes for tests. */
const NO_COUNTRY = /^(EU|EZ|UN|QO|XA|XB|ZZ)$/;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const names = namesIn(language);
const lists = new Map<string, readonly Country[]>();

export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
}

/** All countries in the order of their names; each is also known by its names in these languages and in its own. */
export function countriesIn(languages: readonly string[]): readonly Country[] {
  const key = languages.join();
  const list = lists.get(key) ?? listed(new Set([language, ...languages.filter(isTag)]));
  lists.set(key, list);
  return list;
}

/** Some browsers name a language in another form, such as `en-US@posix`; `Intl` throws on it. */
function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

function listed(languages: ReadonlySet<string>): readonly Country[] {
  const everywhere = [...languages].flatMap((language) => [namesIn(language), namesIn(language, 'short')]);
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

/** `Côte d’Ivoire` as `cote d ivoire`. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The countries in one of whose names each typed word begins a word; those first that are called exactly so, then that begin so. */
export function foundCountries(countries: readonly Country[], typed: string): readonly Country[] {
  const text = folded(typed);
  const words = text.split(' ');
  const hasAll = (name: string): boolean => words.every((word) => ` ${name}`.includes(` ${word}`));
  const rank = ({ known }: Country): number => (known.includes(text) ? 0 : known.some((name) => name.startsWith(text)) ? 1 : 2);
  return countries.filter(({ known }) => known.some(hasAll)).sort((a, b) => rank(a) - rank(b));
}

/** The one country that has this code, or is called exactly so. */
export function countryOf(countries: readonly Country[], typed: string): Country | undefined {
  const text = folded(typed);
  const coded = countries.find(({ code }) => code.toLowerCase() === text);
  const [named, another] = countries.filter(({ known }) => known.includes(text));
  return coded ?? (another === undefined ? named : undefined);
}
