import { compare } from '../language/formats.ts';
import { folded, languagesWith, type Named } from './named.ts';

const lists = new Map<string, readonly Named[]>();

/** All currencies in the order of their names, known by these in some languages, by their signs and their codes. */
export function currenciesIn(languages: readonly string[]): readonly Named[] {
  const key = languages.join();
  const list = lists.get(key) ?? listed(languagesWith(languages));
  lists.set(key, list);
  return list;
}

function listed(languages: readonly string[]): readonly Named[] {
  const [own, ...others] = languages.map((one) => new Intl.DisplayNames(one, { type: 'currency' }));
  return Intl.supportedValuesOf('currency')
    .map((code) => {
      const name = own?.of(code) ?? code;
      const known = [code, name, ...others.flatMap((names) => names.of(code) ?? [])].map(folded);
      return { code, name, known: [...new Set(known)] };
    })
    .sort((a, b) => compare(a.name, b.name));
}

/** How many decimals a currency has; undefined for what is none. */
export function decimalsOf(code: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(code)) return undefined;
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits;
}
