import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard, Trends } from '../../../contract/dashboard.ts';
import { countText, dateText, dayText } from '../../language/formats.ts';
import { RunStatus } from '../../parts/run-status.tsx';
import { useMay, useShop } from '../../parts/shop.ts';
import { Money, MutedMoment, useMoney } from '../../parts/values.tsx';
import { ordersText } from '../../texts/orders.ts';
import { overviewText as t } from '../../texts/overview.ts';
import { Empty, PageHead, Section, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Needs } from './needs.tsx';
import { figures, newestRuns, trends } from './queries.ts';
import { TrendBars } from './trend-bars.tsx';
import './page.css';

export function OverviewPage() {
  const { timezone } = useShop();
  const may = useMay();
  const today = dateText(new Date(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: timezone });
  return (
    <>
      <PageHead title={t.title} note={t.note(today)} />
      {may('admin_api.dashboard.read') ? <Figures /> : <Empty title={t.noDashboard} />}
    </>
  );
}

function Figures() {
  const money = useMoney();
  const mayRuns = useMay()('admin_api.ai_tasks.read');
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
        <Figure name={t.ordersToday} value={countText(days.data.today.orders)} note={t.yesterday(countText(days.data.yesterday.orders))} />
        <Figure
          name={t.newCustomers}
          value={countText(now.data.new_customers_this_month)}
          note={
            <IfMay permission="admin_api.customers.read" link={(count) => <Link to="/customers">{count}</Link>}>
              {t.inAll(countText(now.data.total_customers))}
            </IfMay>
          }
        />
        <Figure
          name={t.toSend}
          value={
            <IfMay
              permission="admin_api.orders.read"
              link={(count) => (
                <Link to="/orders" search={{ needs: 'sending' }}>
                  {count}
                </Link>
              )}
            >
              {countText(byStatus.pending + byStatus.processing)}
            </IfMay>
          }
          note={
            <IfMay
              permission="admin_api.orders.read"
              link={(count) => (
                <Link to="/orders" search={{ status: 'shipped' }}>
                  {count}
                </Link>
              )}
            >
              {t.onTheirWay(countText(byStatus.shipped))}
            </IfMay>
          }
        />
      </dl>
      <div className="overview">
        <div className="overview-needs">
          <Needs figures={now.data} />
        </div>
        <div className="overview-main">
          <Section title={t.trend}>
            <Trend trends={days.data} />
          </Section>
          {mayRuns ? <Runs /> : null}
        </div>
        <div className="overview-newest">
          <Newest figures={now.data} />
        </div>
      </div>
    </>
  );
}

type IfMayProps = { permission: string; link(children: ReactNode): ReactNode; children: ReactNode };

/** A figure is a link to what it counts, for those who may see that. */
function IfMay({ permission, link, children }: IfMayProps): ReactNode {
  return useMay()(permission) ? link(children) : children;
}

function Figure({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) {
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
    date,
    value: revenue,
    title: t.trendDay(dayText(date), money(revenue), orders),
  }));
  return <TrendBars bars={bars} label={t.trend} />;
}

/** The newest runs of all tasks. */
function Runs() {
  const runs = useQuery(newestRuns);
  if (!runs.data) return null;
  return (
    <Section title={t.runs} act={runs.data.data.length === 0 ? undefined : <Link to="/runs">{t.allRuns}</Link>}>
      {runs.data.data.length === 0 ? <p className="muted">{t.noRuns}</p> : null}
      <ul className="newest">
        {runs.data.data.map((run) => (
          <li key={run.id}>
            <Link to="/tasks/$id/runs/$r" params={{ id: run.task_id, r: run.id }}>
              {run.task_name}
            </Link>
            <RunStatus run={run} />
            <MutedMoment at={run.started_at} />
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
