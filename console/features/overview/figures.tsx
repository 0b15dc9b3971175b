import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dashboard, Trends } from '../../../contract/dashboard.ts';
import { changeText, countText } from '../../language/formats.ts';
import { useMay } from '../../parts/shop.ts';
import { useMoney } from '../../parts/values.tsx';
import { overviewText as t } from '../../texts/overview.ts';

/** The figures of the period, each beside that of the period before, and how much is to be sent now. */
export function Figures({ now, trends: { daily, today, yesterday, totals, previous } }: { now: Dashboard; trends: Trends }) {
  const money = useMoney();
  const before = previous?.totals;
  const period = { from: daily[0]?.date, to: daily.at(-1)?.date };
  const { pending, processing, shipped } = now.orders_by_status;
  return (
    <dl className="figures">
      <Figure name={t.revenue} note={t.todayAnd(money(today.revenue), money(yesterday.revenue))}>
        {money(totals.revenue)}
        <Change value={totals.revenue} before={before?.revenue} words={money} />
      </Figure>
      <Figure name={t.orders} note={t.todayAnd(countText(today.orders), countText(yesterday.orders))}>
        {countText(totals.orders)}
        <Change value={totals.orders} before={before?.orders} words={countText} />
      </Figure>
      <Figure
        name={t.newCustomers}
        note={
          <IfMay permission="admin_api.customers.read" link={(count) => <Link to="/customers">{count}</Link>}>
            {t.inAll(countText(now.total_customers))}
          </IfMay>
        }
      >
        <IfMay permission="admin_api.customers.read" link={(count) => <CustomersLink {...period}>{count}</CustomersLink>}>
          {countText(totals.new_customers)}
        </IfMay>
        <Change value={totals.new_customers} before={before?.new_customers} words={countText} />
      </Figure>
      <Figure
        name={t.toSend}
        note={
          <IfMay permission="admin_api.orders.read" link={(count) => <OrdersLink search={{ status: 'shipped' }}>{count}</OrdersLink>}>
            {t.onTheirWay(countText(shipped))}
          </IfMay>
        }
      >
        <IfMay permission="admin_api.orders.read" link={(count) => <OrdersLink search={{ needs: 'sending' }}>{count}</OrdersLink>}>
          {countText(pending + processing)}
        </IfMay>
      </Figure>
    </dl>
  );
}

function Figure({ name, children, note }: { name: string; children: ReactNode; note: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure">{children}</dd>
      <dd className="muted">{note}</dd>
    </div>
  );
}

/** By how much a figure is above or below that of the period before; nothing where there was none. */
function Change({ value, before, words }: { value: number; before: number | undefined; words(value: number): string }) {
  if (before === undefined || before <= 0) return null;
  return (
    <span className="figure-change" title={t.before(words(before))}>
      {changeText(value / before - 1)}
      <span className="visually-hidden"> {t.before(words(before))}</span>
    </span>
  );
}

type IfMayProps = { permission: string; link(children: ReactNode): ReactNode; children: ReactNode };

/** A figure is a link to what it counts, for those who may see that. */
function IfMay({ permission, link, children }: IfMayProps): ReactNode {
  return useMay()(permission) ? link(children) : children;
}

function OrdersLink({ search, children }: { search: { status: 'shipped' } | { needs: 'sending' }; children: ReactNode }) {
  return (
    <Link to="/orders" search={search}>
      {children}
    </Link>
  );
}

function CustomersLink({ from, to, children }: { from: string | undefined; to: string | undefined; children: ReactNode }) {
  return (
    <Link to="/customers" search={from === undefined || to === undefined ? {} : { from, to }}>
      {children}
    </Link>
  );
}
