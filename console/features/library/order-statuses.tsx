import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InternalOrderStatus } from '../../../contract/order-statuses.ts';
import { blanks } from '../../parts/blanks.ts';
import { rowsQuery } from '../../parts/list-page.tsx';
import { Remove } from '../../parts/remove.tsx';
import { libraryText } from '../../texts/library.ts';
import { SelectField } from '../../ui/field.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.orderStatuses;

type Values = { name: string; color: string; sort_order: number | null };

function inputOf({ sort_order, ...values }: Values) {
  return { ...values, ...(sort_order === null ? {} : { sort_order }) };
}

/** The colour is the shop's own; the name beside it says the same. */
function Swatch({ color }: { color: string }) {
  return (
    <svg className="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <circle cx="6" cy="6" r="5" fill={color} stroke="var(--edge)" />
    </svg>
  );
}

/** A status that orders have is deleted only together with what they get instead. */
function Removal({ row: { id, name, order_count }, done }: { row: InternalOrderStatus; done(): void }) {
  const query = { per_page: 100 };
  const all = useQuery(rowsQuery('order_statuses.list', query, () => calls.order_statuses.list(query)));
  const [target, setTarget] = useState('');
  const others = (all.data?.data ?? []).filter((status) => status.id !== id);
  const instead = target === '' ? { clear: true } : { reassign_to: Number(target) };
  return (
    <Remove name={name} run={() => calls.order_statuses.delete(id, order_count === 0 ? {} : instead)} onDone={done}>
      {order_count === 0 ? null : (
        <>
          <p>{t.inUse(order_count)}</p>
          <SelectField
            label={t.instead}
            value={target}
            options={[['', t.none], ...others.map((status): [string, string] => [String(status.id), status.name])]}
            onValue={setTarget}
          />
        </>
      )}
    </Remove>
  );
}

export const OrderStatusesPage = libraryPage<InternalOrderStatus, Values>({
  path: '/library/order-statuses',
  resource: 'order_statuses',
  blank: blanks.orderStatuses,
  texts: t,
  nameOf: ({ name }) => name,
  columns: [
    {
      name: 'name',
      head: t.fields.name,
      cell: ({ name, color }) => (
        <>
          <Swatch color={color} /> {name}
        </>
      ),
    },
    { name: 'orders', head: t.orders, cell: ({ order_count }) => order_count, isNumber: true },
    { name: 'place', head: libraryText.place, cell: ({ sort_order }) => sort_order, isNumber: true, isMinor: true },
  ],
  calls: calls.order_statuses,
  update: (id, values, options) => calls.order_statuses.update(id, inputOf(values), options),
  valuesOf: ({ name, color, sort_order }) => ({ name, color, sort_order }),
  creation: {
    start: { name: '', color: '#808080', sort_order: null },
    create: (values, options) => calls.order_statuses.create(inputOf(values), options),
  },
  Removal,
  fields: [
    { kind: 'text', name: 'name', label: t.fields.name },
    [
      { kind: 'colour', name: 'color', label: t.fields.color },
      { kind: 'number', name: 'sort_order', label: libraryText.place, hint: libraryText.placeHint },
    ],
  ],
});
