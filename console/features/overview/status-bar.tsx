import { Link } from '@tanstack/react-router';
import type { Dashboard } from '../../../contract/dashboard.ts';
import { countText } from '../../language/formats.ts';
import { useMay } from '../../parts/shop.ts';
import { ordersText } from '../../texts/orders.ts';
import { overviewText as t } from '../../texts/overview.ts';
import { Section } from '../../ui/page.tsx';

const statuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const;

type Part = { status: (typeof statuses)[number]; count: number; isLink: boolean };

/** For the pointer alone: the names below the bar are for everybody. */
function Part({ status, count, isLink }: Part) {
  const look = { className: `share ${status}`, style: { flexGrow: count }, title: `${ordersText.status[status]}: ${countText(count)}` };
  return isLink ? <Link to="/orders" search={{ status }} tabIndex={-1} {...look} /> : <span {...look} />;
}

/** All orders by their status as one bar; each part and its name open the list of these orders. */
export function StatusBar({ orders_by_status: counts, total_orders: total }: Dashboard) {
  const may = useMay()('admin_api.orders.read');
  if (total === 0) return null;
  return (
    <Section title={t.byStatus}>
      <div className="status-bar" aria-hidden="true">
        {statuses.map((status) =>
          counts[status] === 0 ? null : <Part key={status} status={status} count={counts[status]} isLink={may} />,
        )}
      </div>
      <ul className="status-names">
        {statuses.map((status) => {
          const words = (
            <>
              <span className={`share ${status}`} aria-hidden="true" />
              {ordersText.status[status]} <strong>{countText(counts[status])}</strong>
            </>
          );
          return (
            <li key={status}>
              {may ? (
                <Link to="/orders" search={{ status }}>
                  {words}
                </Link>
              ) : (
                <span>{words}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
