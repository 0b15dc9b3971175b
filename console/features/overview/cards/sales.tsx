import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countText } from '../../../language/formats.ts';
import { RecordLink } from '../../../parts/record-link.tsx';
import { useMay } from '../../../parts/shop.ts';
import { Money, MutedMoment } from '../../../parts/values.tsx';
import { overviewText as t } from '../../../texts/overview.ts';
import { subscriptionsText } from '../../../texts/subscriptions.ts';
import { insights, subscriptions, unanswered } from '../queries.ts';
import { Card } from './card.tsx';

/** Of all time, by revenue. */
export function BestSellersCard() {
  const best = useQuery(insights).data?.top_products;
  if (!best) return null;
  const rows = best.map(({ product_id: id, name, quantity, revenue }) => ({
    key: id,
    name: (
      <RecordLink permission="admin_api.products.read" to="/products/$id" params={{ id }}>
        {name}
      </RecordLink>
    ),
    note: t.cards.sold(quantity),
    value: <Money minor={revenue} />,
  }));
  return <Card name="best_sellers" rows={rows} none={t.cards.noSales} />;
}

export function TopCustomersCard() {
  const best = useQuery(insights).data?.top_customers;
  if (!best) return null;
  const rows = best.map(({ customer_id: id, name, email, order_count: orders, total_spent: spent }) => ({
    key: id,
    name: (
      <RecordLink permission="admin_api.customers.read" to="/customers/$id" params={{ id }}>
        {name || email}
      </RecordLink>
    ),
    note: t.cards.orders(orders),
    value: <Money minor={spent} />,
  }));
  return <Card name="top_customers" rows={rows} none={t.cards.noSales} />;
}

/** Those without an answer. */
export function InquiriesCard() {
  const found = useQuery(unanswered).data?.data;
  if (!found) return null;
  const rows = found.map(({ id, name, subject, created_at }) => ({
    key: id,
    name: (
      <Link to="/inquiries" search={{ open: id, answered: false }}>
        {subject || name}
      </Link>
    ),
    note: subject === '' ? undefined : name,
    value: <MutedMoment at={created_at} kind="day" />,
  }));
  const all = (
    <Link to="/inquiries" search={{ answered: false }}>
      {t.cards.all}
    </Link>
  );
  return <Card name="inquiries" rows={rows} none={t.cards.noInquiries} all={all} />;
}

const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'incomplete_expired', 'canceled'] as const;

/** How many there are in each state, and what they bring each month. */
export function SubscriptionsCard() {
  const may = useMay()('admin_api.subscriptions.read');
  const counts = useQuery(subscriptions).data;
  const mrr = useQuery(insights).data?.mrr;
  if (!counts || mrr === undefined) return null;
  const held = statuses.filter((status) => counts.by_status[status] > 0);
  const states = held.map((status) => ({
    key: status,
    name: (
      <RecordLink permission="admin_api.subscriptions.read" to="/subscriptions" search={{ status }}>
        {subscriptionsText.status[status]}
      </RecordLink>
    ),
    value: countText(counts.by_status[status]),
  }));
  const rows = counts.total === 0 ? [] : [{ key: 'mrr', name: t.cards.monthly, value: <Money minor={mrr} /> }, ...states];
  const all = may ? <Link to="/subscriptions">{t.cards.all}</Link> : undefined;
  return <Card name="subscriptions" rows={rows} none={t.cards.noSubscriptions} all={all} />;
}
