import { language } from '../language/language.ts';

/** What has a code and is known by names: a country, a currency, a time zone, a language. */
export type Named = {
  code: string;
  name: string;
  /** Stands beside the name in a list; without it, the code. */
  note?: string;
  /** Each name that it is known by, and its code, as words without accents. */
  known: readonly string[];
};

/** The languages in which somebody may type a name: that of the page, and these as far as they are languages. */
export const languagesWith = (more: readonly string[]): string[] => [...new Set([language, ...more.filter(isTag)])];

/** Some browsers name a language in another form, such as `en-US@posix`; `Intl` throws on it. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** `Côte d’Ivoire` as `cote d ivoire`. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Those in one of whose names each typed word begins a word; those first that are called exactly so, then that begin so. */
export function foundNamed(all: readonly Named[], typed: string): readonly Named[] {
  const text = folded(typed);
  const words = text.split(' ');
  const hasAll = (name: string): boolean => words.every((word) => ` ${name}`.includes(` ${word}`));
  const rank = ({ known }: Named): number => (known.includes(text) ? 0 : known.some((name) => name.startsWith(text)) ? 1 : 2);
  return all.filter(({ known }) => known.some(hasAll)).sort((a, b) => rank(a) - rank(b));
}

/** The one that has this code, or is called exactly so. */
export function namedOf(all: readonly Named[], typed: string): Named | undefined {
  const text = folded(typed);
  const coded = all.find(({ code }) => folded(code) === text);
  const [named, another] = all.filter(({ known }) => known.includes(text));
  return coded ?? (another === undefined ? named : undefined);
}
