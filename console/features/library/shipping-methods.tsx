import type { ShippingMethod } from '../../../contract/shipping-methods.ts';
import { blanks } from '../../parts/blanks.ts';
import { Money } from '../../parts/values.tsx';
import { libraryText } from '../../texts/library.ts';
import { countryName } from '../../ui/countries.ts';
import { Lifecycle } from '../../ui/status.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.shippingMethods;

type Values = {
  name: string;
  price_cents: number | null;
  free_over_cents: number | null;
  tax_rate_id: number | null;
  countries: readonly string[];
  delivery_estimate: string;
  active: boolean;
  sort_order: number | null;
};

function inputOf({ price_cents, countries, sort_order, ...values }: Values) {
  return {
    ...values,
    price_cents: price_cents ?? 0,
    countries: [...countries],
    ...(sort_order === null ? {} : { sort_order }),
  };
}

export const ShippingMethodsPage = libraryPage<ShippingMethod, Values>({
  path: '/library/shipping-methods',
  resource: 'shipping_methods',
  blank: blanks.shippingMethods,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', head: t.fields.name, cell: ({ name }) => name },
    { name: 'price', head: t.fields.price_cents, cell: ({ price_cents }) => <Money minor={price_cents} />, isNumber: true },
    {
      name: 'countries',
      head: t.fields.countries,
      cell: ({ countries }) =>
        countries.length === 0 ? (
          <span className="muted">{t.everywhere}</span>
        ) : (
          countries.map((code) => countryName(code) ?? code).join(', ')
        ),
      isMinor: true,
    },
    {
      name: 'active',
      head: t.state,
      cell: ({ active }) => <Lifecycle stage={active ? 'full' : 'barred'}>{active ? libraryText.on : libraryText.off}</Lifecycle>,
    },
  ],
  calls: calls.shipping_methods,
  update: (id, values, options) => calls.shipping_methods.update(id, inputOf(values), options),
  valuesOf: ({ id: _, ...values }) => values,
  creation: {
    start: {
      name: '',
      price_cents: 0,
      free_over_cents: null,
      tax_rate_id: null,
      countries: [],
      delivery_estimate: '',
      active: true,
      sort_order: null,
    },
    create: (values, options) => calls.shipping_methods.create(inputOf(values), options),
  },
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name },
    [
      { kind: 'money', name: 'price_cents', label: t.fields.price_cents },
      { kind: 'money', name: 'free_over_cents', label: t.fields.free_over_cents, hint: t.freeHint },
    ],
    { kind: 'taxRate', name: 'tax_rate_id', label: t.fields.tax_rate_id },
    { kind: 'countries', name: 'countries', label: t.fields.countries, hint: t.countriesHint },
    { kind: 'text', name: 'delivery_estimate', label: t.fields.delivery_estimate, hint: t.estimateHint },
    { kind: 'number', name: 'sort_order', label: libraryText.place, hint: libraryText.placeHint },
    { kind: 'tick', name: 'active', label: t.fields.active },
  ],
});
