import type { InternalOrderStatus } from '../../../../contract/order-statuses.ts';
import type { OrderRow } from '../../../../contract/orders.ts';
import { Day, Money, MutedMoment } from '../../../parts/values.tsx';
import { ordersText as t } from '../../../texts/orders.ts';
import type { Column } from '../../../ui/table.tsx';
import { OrderStage, PaymentStage } from '../parts.tsx';

type Name = keyof typeof t.columns;
type OrderColumn = Column<OrderRow> & { name: Name };

/** The columns that are shown by themselves; others can be added. */
export const usualColumns: readonly Name[] = ['number', 'placed', 'customer', 'status', 'payment', 'total'];

/** All columns in their order. `sort`: what the API sorts by. */
export function orderColumns(internal: readonly InternalOrderStatus[]): OrderColumn[] {
  const nameOf = new Map(internal.map(({ id, name }) => [id, name]));
  return [
    { name: 'number', head: t.columns.number, cell: ({ public_id }) => <code>{public_id}</code>, isMinor: true },
    {
      name: 'placed',
      head: t.columns.placed,
      sort: 'created_at',
      cell: ({ created_at }) => <MutedMoment at={created_at} />,
      isMinor: true,
    },
    {
      name: 'customer',
      head: t.columns.customer,
      sort: 'customer_name',
      cell: ({ customer_name, shipping_country, is_test }) => (
        <>
          {customer_name} <span className="muted">{shipping_country}</span> {is_test ? <span className="tag">{t.test}</span> : null}
        </>
      ),
    },
    { name: 'email', head: t.columns.email, cell: ({ customer_email }) => customer_email, isMinor: true },
    { name: 'status', head: t.columns.status, sort: 'status', cell: ({ status }) => <OrderStage status={status} /> },
    {
      name: 'internal',
      head: t.columns.internal,
      cell: ({ internal_status_id: id }) => (id === null ? null : (nameOf.get(id) ?? `#${id}`)),
      isMinor: true,
    },
    { name: 'payment', head: t.columns.payment, cell: ({ payment_status }) => <PaymentStage status={payment_status} />, isMinor: true },
    {
      name: 'delivery',
      head: t.columns.delivery,
      cell: ({ delivery_date }) => (delivery_date === null ? null : <Day date={delivery_date} />),
      isMinor: true,
    },
    {
      name: 'total',
      head: t.columns.total,
      sort: 'total',
      cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
      isNumber: true,
    },
  ];
}
