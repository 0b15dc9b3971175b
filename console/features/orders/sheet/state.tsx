import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OrderDetail, OrderStatus } from '../../../../contract/orders.ts';
import { useMay } from '../../../parts/shop.ts';
import { Day } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Facts } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { internalStatuses, orderRecord, orderWrites, refreshOrders } from '../order-queries.ts';
import { OrderStage, PaymentStage } from '../parts.tsx';
import { StatusAct } from './status-act.tsx';

const t = orderText.state;

/** What the order has come to, to be read. Only the mark among colleagues is set here, because nothing follows from it. */
export function OrderState({ order }: { order: OrderDetail }) {
  const mayWrite = useMay()('admin_api.orders.write');
  const facts: (readonly [string, ReactNode])[] = [
    [t.status, <OrderStage key="status" status={order.status} />],
    [t.payment, <PaymentStage key="payment" status={order.payment_status} />],
    ...(order.delivery_date === null ? [] : [[t.delivery, <Day key="day" date={order.delivery_date} />] as const]),
    ...(order.tracking_number === '' ? [] : [[t.tracking, <code key="tracking">{order.tracking_number}</code>] as const]),
    ...(order.voucher_code === null ? [] : [[orderText.edit.voucher, <code key="voucher">{order.voucher_code}</code>] as const]),
    ...(order.discount_reason ? [[orderText.edit.discountReason, order.discount_reason] as const] : []),
    ...(order.internal_notes ? [[orderText.edit.notes, order.internal_notes] as const] : []),
  ];
  return (
    <>
      <Facts facts={facts} />
      {mayWrite ? <InternalStatus order={order} /> : null}
      {mayWrite ? <StateActs order={order} /> : null}
    </>
  );
}

const next: Partial<Record<OrderStatus, 'processing' | 'shipped' | 'delivered'>> = {
  pending: 'processing',
  processing: 'shipped',
  shipped: 'delivered',
};

/** The step that comes next, and the way out. After a step from here the next one waits until the order is opened again. */
function StateActs({ order }: { order: OrderDetail }) {
  const [opened] = useState(order.status);
  const step = next[opened];
  if (step === undefined) return null;
  return (
    <div className="acts state-acts">
      {order.status === opened || order.status === step ? <StatusAct order={order} to={step} /> : null}
      <StatusAct order={order} to="cancelled" kind="danger" />
    </div>
  );
}

/** A mark among colleagues, which nothing follows from: it is shown at once, and taken back if the server refuses it. */
function InternalStatus({ order }: { order: OrderDetail }) {
  const may = useMay();
  const queries = useQueryClient();
  const mayRead = may('admin_api.order_statuses.read');
  const all = useQuery({ ...internalStatuses, enabled: mayRead });
  const set = useMutation({
    mutationFn: (internal_status_id: number | null) => orderWrites.internalStatus(order.id, { internal_status_id }),
    onSettled: () => refreshOrders(queries),
  });
  const { queryKey } = orderRecord(order.id);
  if (!mayRead || !all.data || all.data.length === 0) return null;
  const shown = set.isPending ? set.variables : order.internal_status_id;
  return (
    <div className="order-state">
      <SelectField
        label={t.internal}
        value={shown === null ? '' : String(shown)}
        options={[['', t.none], ...all.data.map(({ id, name }) => [String(id), name] as const)]}
        onValue={(value) => {
          void queries.cancelQueries({ queryKey });
          set.mutate(value === '' ? null : Number(value));
        }}
      />
      {set.error ? <Problem error={set.error} /> : null}
    </div>
  );
}
