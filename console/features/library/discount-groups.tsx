import type { DiscountGroup } from '../../../contract/discount-groups.ts';
import { percentText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { libraryText } from '../../texts/library.ts';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.discountGroups;

type Values = { name: string; percent_bps: number | null };
const inputOf = ({ name, percent_bps }: Values) => ({ name, percent_bps: percent_bps ?? 0 });

export const DiscountGroupsPage = libraryPage<DiscountGroup, Values>({
  path: '/library/discount-groups',
  resource: 'discount_groups',
  blank: blanks.discountGroups,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', head: t.fields.name, cell: ({ name }) => name },
    { name: 'percent', head: t.fields.percent_bps, cell: ({ percent_bps }) => percentText(percent_bps), isNumber: true },
    { name: 'members', head: t.members, cell: ({ member_count }) => member_count, isNumber: true },
  ],
  calls: calls.discount_groups,
  update: (id, values, options) => calls.discount_groups.update(id, inputOf(values), options),
  valuesOf: ({ name, percent_bps }) => ({ name, percent_bps }),
  creation: {
    start: { name: '', percent_bps: null },
    create: (values, options) => calls.discount_groups.create(inputOf(values), options),
  },
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name },
    { kind: 'percent', name: 'percent_bps', label: t.fields.percent_bps, hint: t.hint },
  ],
});
