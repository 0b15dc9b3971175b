import type { PickupLocation } from '../../../contract/pickup-locations.ts';
import { blanks } from '../../parts/blanks.ts';
import { libraryText } from '../../texts/library.ts';
import { countryName } from '../../ui/countries.ts';
import { Lifecycle } from '../../ui/status.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.pickupLocations;

type Values = Omit<PickupLocation, 'id' | 'sort_order'> & { sort_order: number | null };

/** Without a place of its own, a new one comes last and a known one stays where it is. */
function inputOf({ sort_order, ...values }: Values) {
  return { ...values, ...(sort_order === null ? {} : { sort_order }) };
}

export const PickupLocationsPage = libraryPage<PickupLocation, Values>({
  path: '/library/pickup-locations',
  resource: 'pickup_locations',
  blank: blanks.pickupLocations,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', head: t.fields.name, cell: ({ name }) => name },
    {
      name: 'address',
      head: t.address,
      cell: ({ line1, postal_code, city, country }) =>
        [line1, `${postal_code} ${city}`.trim(), countryName(country) ?? country].filter(Boolean).join(', '),
      isMinor: true,
    },
    {
      name: 'active',
      head: t.state,
      cell: ({ active }) => <Lifecycle stage={active ? 'full' : 'barred'}>{active ? libraryText.on : libraryText.off}</Lifecycle>,
    },
  ],
  calls: calls.pickup_locations,
  update: (id, values, options) => calls.pickup_locations.update(id, inputOf(values), options),
  valuesOf: ({ id: _, ...values }) => values,
  creation: {
    start: {
      name: '',
      line1: '',
      line2: '',
      postal_code: '',
      city: '',
      country: '',
      opening_hours: '',
      active: true,
      sort_order: null,
    },
    create: (values, options) => calls.pickup_locations.create(inputOf(values), options),
  },
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name },
    { kind: 'text', name: 'line1', label: t.fields.line1 },
    { kind: 'text', name: 'line2', label: t.fields.line2 },
    [
      { kind: 'text', name: 'postal_code', label: t.fields.postal_code },
      { kind: 'text', name: 'city', label: t.fields.city },
      { kind: 'country', name: 'country', label: t.fields.country },
    ],
    { kind: 'area', name: 'opening_hours', label: t.fields.opening_hours },
    { kind: 'number', name: 'sort_order', label: libraryText.place, hint: libraryText.placeHint },
    { kind: 'tick', name: 'active', label: t.fields.active },
  ],
});
