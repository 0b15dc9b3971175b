import { text } from '../texts/app.ts';
import { countriesIn, countryName } from '../ui/countries.ts';
import { currenciesIn } from '../ui/currencies.ts';
import { languageName, languagesIn, languageTag } from '../ui/languages.ts';
import { zoneName, zonesIn } from '../ui/zones.ts';
import type { NamedKind } from './named-field.tsx';

const t = text.named;

/** What is chosen by its name. */
export const namedKinds = {
  country: { listIn: countriesIn, nameOf: countryName, none: t.country },
  zone: { listIn: zonesIn, nameOf: zoneName, none: t.zone },
  language: { listIn: languagesIn, nameOf: languageName, other: languageTag, none: t.language },
  currency: {
    listIn: currenciesIn,
    nameOf: (code) => currenciesIn([]).find((one) => one.code === code)?.name,
    none: t.currency,
  },
} satisfies Record<string, NamedKind>;
