import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard, Trends } from '../../../contract/dashboard.ts';
import { useMay, useShop } from '../../app/shop.ts';
import { ordersText, overviewText as t } from '../../texts/en.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, PageHead, Section, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Money, useMoney } from '../../ui/values.tsx';
import { figures, trends } from './queries.ts';
import { TrendBars } from './trend-bars.tsx';
import './page.css';

const counts = new Intl.NumberFormat('en');

export function OverviewPage() {
  const { timezone } = useShop();
  const may = useMay();
  const today = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: timezone }).format(new Date());
  return (
    <>
      <PageHead title={t.title} note={t.note(today)} />
      {may('admin_api.dashboard.read') ? <Figures /> : <Empty title={t.noDashboard} />}
    </>
  );
}

function Figures() {
  const money = useMoney();
  const now = useQuery(figures);
  const days = useQuery(trends);
  const error = now.error ?? days.error;
  if (error && !(now.data && days.data)) {
    return <Problem error={error} retry={() => void Promise.all([now.refetch(), days.refetch()])} />;
  }
  if (!now.data || !days.data) return <Skeleton />;
  const { orders_by_status: byStatus } = now.data;
  return (
    <>
      <dl className="figures">
        <Figure name={t.revenue} value={<Money minor={days.data.today.revenue} />} note={t.yesterday(money(days.data.yesterday.revenue))} />
        <Figure
          name={t.ordersToday}
          value={counts.format(days.data.today.orders)}
          note={t.yesterday(counts.format(days.data.yesterday.orders))}
        />
        <Figure
          name={t.newCustomers}
          value={counts.format(now.data.new_customers_this_month)}
          note={t.inAll(counts.format(now.data.total_customers))}
        />
        <Figure
          name={t.toSend}
          value={counts.format(byStatus.pending + byStatus.processing)}
          note={t.onTheirWay(counts.format(byStatus.shipped))}
        />
      </dl>
      <div className="overview">
        <div>
          <Section title={t.trend}>
            <Trend trends={days.data} />
          </Section>
        </div>
        <div>
          <Needs figures={now.data} />
          <Newest figures={now.data} />
        </div>
      </div>
    </>
  );
}

function Figure({ name, value, note }: { name: string; value: ReactNode; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">{value}</dd>
      <dd className="muted">{note}</dd>
    </div>
  );
}

function Trend({ trends: { daily } }: { trends: Trends }) {
  const money = useMoney();
  const bars = daily.map(({ date, revenue, orders }) => ({
    label: date,
    value: revenue,
    title: t.trendDay(date, money(revenue), orders),
  }));
  return <TrendBars bars={bars} label={t.trend} />;
}

/** What waits for a person, with the place where it is dealt with; what is zero is not shown. */
function Needs({ figures: now }: { figures: Dashboard }) {
  const may = useMay();
  const mayOrders = may('admin_api.orders.read');
  const rows: { tone: Tone; words: string; act?: ReactNode }[] = [];
  if (now.orders_needing_attention > 0) {
    const act = mayOrders ? (
      <ButtonLink to="/orders" search={{ status: 'processing', sort: 'created_at' }}>
        {t.show}
      </ButtonLink>
    ) : null;
    rows.push({ tone: 'need', words: t.late(now.orders_needing_attention), act });
  }
  if (now.failed_payment_orders > 0) {
    const act = mayOrders ? (
      <ButtonLink to="/orders" search={{ payment: 'failed' }}>
        {t.show}
      </ButtonLink>
    ) : null;
    rows.push({ tone: 'fail', words: t.failed(now.failed_payment_orders), act });
  }
  if (now.unanswered_inquiries > 0) rows.push({ tone: 'need', words: t.inquiries(now.unanswered_inquiries) });
  if (now.out_of_stock_count > 0) rows.push({ tone: 'need', words: t.outOfStock(now.out_of_stock_count) });
  return (
    <Section title={t.needs}>
      {rows.length === 0 ? <p className="muted">{t.nothing}</p> : null}
      <ul className="needs">
        {rows.map(({ tone, words, act }) => (
          <li key={words}>
            <Status tone={tone}>{words}</Status>
            {act}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Newest({ figures: { recent_orders: recent } }: { figures: Dashboard }) {
  return (
    <Section title={t.newest}>
      {recent.length === 0 ? <p className="muted">{t.noOrders}</p> : null}
      <ul className="newest">
        {recent.map((order) => (
          <li key={order.id}>
            <Link to="/orders" search={{ open: order.id }}>
              {order.customer_name}
            </Link>
            <span className="muted">{ordersText.status[order.status]}</span>
            <Money minor={order.total} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
