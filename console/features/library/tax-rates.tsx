import type { TaxRate } from '../../../contract/tax-rates.ts';
import { percentText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { libraryText } from '../../texts/library.ts';
import { countryName } from '../../ui/countries.ts';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.taxRates;

type Values = { name: string; rate_bps: number | null; country: string; is_default: boolean };

function inputOf({ rate_bps, country, ...values }: Values) {
  return { ...values, rate_bps: rate_bps ?? 0, country: country || null };
}

export const TaxRatesPage = libraryPage<TaxRate, Values>({
  path: '/library/tax-rates',
  resource: 'tax_rates',
  blank: blanks.taxRates,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    {
      name: 'name',
      head: t.fields.name,
      cell: ({ name, is_default }) => (
        <>
          {name} {is_default ? <span className="tag">{t.usual}</span> : null}
        </>
      ),
    },
    { name: 'rate', head: t.fields.rate_bps, cell: ({ rate_bps }) => percentText(rate_bps), isNumber: true },
    {
      name: 'country',
      head: t.fields.country,
      cell: ({ country }) => (country === null ? <span className="muted">{t.anyCountry}</span> : (countryName(country) ?? country)),
    },
  ],
  calls: calls.tax_rates,
  update: (id, values, options) => calls.tax_rates.update(id, inputOf(values), options),
  valuesOf: ({ name, rate_bps, country, is_default }) => ({ name, rate_bps, country: country ?? '', is_default }),
  creation: {
    start: { name: '', rate_bps: null, country: '', is_default: false },
    create: (values, options) => calls.tax_rates.create(inputOf(values), options),
  },
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name, hint: t.nameHint },
    [
      { kind: 'percent', name: 'rate_bps', label: t.fields.rate_bps },
      { kind: 'country', name: 'country', label: t.fields.country },
    ],
    { kind: 'tick', name: 'is_default', label: t.fields.is_default },
  ],
});
