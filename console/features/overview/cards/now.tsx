import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RecordLink } from '../../../parts/record-link.tsx';
import { RunStatus } from '../../../parts/run-status.tsx';
import { useMay } from '../../../parts/shop.ts';
import { Money, MutedMoment } from '../../../parts/values.tsx';
import { ordersText } from '../../../texts/orders.ts';
import { overviewText as t } from '../../../texts/overview.ts';
import { newestRuns } from '../queries.ts';
import { Card } from './card.tsx';
import type { CardProps } from './cards.tsx';

export function NewestOrdersCard({ now: { recent_orders: recent } }: CardProps) {
  const may = useMay()('admin_api.orders.read');
  const rows = recent.map(({ id, customer_name: name, status, total }) => ({
    key: id,
    name: (
      <RecordLink permission="admin_api.orders.read" to="/orders" search={{ open: id }}>
        {name}
      </RecordLink>
    ),
    note: ordersText.status[status],
    value: <Money minor={total} />,
  }));
  return <Card name="newest_orders" rows={rows} none={t.noOrders} all={may ? <Link to="/orders">{t.cards.all}</Link> : undefined} />;
}

/** The newest runs of all tasks. */
export function RunsCard() {
  const runs = useQuery(newestRuns).data?.data;
  if (!runs) return null;
  const rows = runs.map((run) => ({
    key: run.id,
    name: (
      <Link to="/tasks/$id/runs/$r" params={{ id: run.task_id, r: run.id }}>
        {run.task_name}
      </Link>
    ),
    note: <RunStatus run={run} />,
    value: <MutedMoment at={run.started_at} />,
  }));
  return <Card name="runs" rows={rows} none={t.noRuns} all={<Link to="/runs">{t.allRuns}</Link>} />;
}

export function LowStockCard({ now: { low_stock_products: products } }: CardProps) {
  const may = useMay()('admin_api.products.read');
  const rows = products.map(({ id, name, stock }) => ({
    key: id,
    name: (
      <RecordLink permission="admin_api.products.read" to="/products/$id" params={{ id }}>
        {name}
      </RecordLink>
    ),
    value: t.cards.left(stock),
  }));
  const all = (
    <Link to="/products" search={{ stock: 'low' }}>
      {t.cards.all}
    </Link>
  );
  return <Card name="low_stock" rows={rows} none={t.cards.noLowStock} all={may ? all : undefined} />;
}
