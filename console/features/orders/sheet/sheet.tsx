import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { ordersText } from '../../../texts/orders.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Skeleton } from '../../../ui/page.tsx';
import { PathLink } from '../../../ui/path-link.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { orderPayments, orderRecord, orderShipments } from '../order-queries.ts';
import { OrderStage, PaymentStage } from '../parts.tsx';
import type { OrderTab } from '../search.ts';
import { OrderItself } from './order-itself.tsx';
import './sheet.css';

const Payments = lazyRouteComponent(() => import('./payments.tsx'), 'Payments');
const Shipments = lazyRouteComponent(() => import('./shipments.tsx'), 'Shipments');
const Timeline = lazyRouteComponent(() => import('../../../parts/timeline/timeline.tsx'), 'Timeline');
fetchAhead(Payments, Shipments, Timeline);

const t = orderText;

type Props = {
  id: number;
  tab: OrderTab;
  goTo(tab: OrderTab): void;
  close(): void;
  previous: (() => void) | null;
  next: (() => void) | null;
};

/** One order beside the list: what it is, and all that can be done with it. */
export function OrderSheet({ id, tab, goTo, ...moves }: Props) {
  const may = useMay();
  const order = useQuery(orderRecord(id));
  const payments = useQuery(orderPayments(id));
  const shipments = useQuery(orderShipments(id));
  const marks = order.data ? <Marks order={order.data.value} /> : null;
  const tabs = [
    { name: 'order', label: t.tabs.order },
    { name: 'payments', label: t.tabs.payments, count: payments.data?.length || undefined },
    { name: 'shipments', label: t.tabs.shipments, count: shipments.data?.length || undefined },
    { name: 'history', label: t.tabs.history },
  ] as const;
  return (
    <Sheet title={<code>{order.data?.value.public_id ?? id}</code>} marks={marks} {...moves}>
      <Loaded query={order}>
        {(record) => (
          <>
            <Person order={record.value} />
            <Tabs label={t.parts} tabs={tabs} open={tab} go={goTo} />
            <OrderItself order={record} isAway={tab !== 'order'} />
            <Suspense fallback={<Skeleton />}>
              {tab === 'payments' ? <Payments order={record.value} /> : null}
              {tab === 'shipments' ? <Shipments order={record.value} /> : null}
              {tab === 'history' ? (
                <Timeline of="order" id={id} mayChange={may('admin_api.orders.write')} currency={record.value.currency} />
              ) : null}
            </Suspense>
          </>
        )}
      </Loaded>
    </Sheet>
  );
}

function Marks({ order }: { order: OrderDetail }) {
  return (
    <>
      <OrderStage status={order.status} />
      <PaymentStage status={order.payment_status} names={ordersText.paymentMark} />
      {order.payment_progress === 'partial' || order.payment_progress === 'overpaid' ? (
        <span className="tag">{ordersText.progress[order.payment_progress]}</span>
      ) : null}
      {order.is_test ? <span className="tag">{ordersText.test}</span> : null}
    </>
  );
}

function Person({ order }: { order: OrderDetail }) {
  const may = useMay();
  const isLinked = order.customer_id !== null && may('admin_api.customers.read');
  return (
    <p className="order-person">
      {isLinked ? <PathLink to={`/customers/${order.customer_id}`}>{order.customer_name}</PathLink> : <span>{order.customer_name}</span>}
      {order.customer_email === '' ? null : <a href={`mailto:${order.customer_email}`}>{order.customer_email}</a>}
      {order.customer_phone === '' ? null : <a href={`tel:${order.customer_phone.replace(/[^\d+]/g, '')}`}>{order.customer_phone}</a>}
      <span className="muted">
        {t.placed} <Moment at={order.created_at} />
      </span>
    </p>
  );
}
