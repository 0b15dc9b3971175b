import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CustomerDetail } from '../../../contract/customers.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment, Money } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { ordersText } from '../../texts/orders.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { customerOrders } from './queries.ts';

/** The newest orders, and the way to all. */
export function Orders({ customer: { id, order_count } }: { customer: CustomerDetail }) {
  const may = useMay();
  const isShown = may('admin_api.orders.read') && order_count > 0;
  const orders = useQuery({ ...customerOrders(id), enabled: isShown });
  const all = isShown ? (
    <ButtonLink to="/orders" search={{ customer: id }}>
      {t.orders.all(order_count)}
    </ButtonLink>
  ) : null;
  return (
    <Section title={t.orders.title} act={all}>
      {isShown ? (
        <Loaded query={orders} rows={3}>
          {({ data }) => (
            <ul className="rows">
              {data.map((order) => (
                <li key={order.id}>
                  <div>
                    <Link to="/orders" search={{ open: order.id }}>
                      <code>{order.public_id}</code>
                    </Link>{' '}
                    <span className="muted">
                      {ordersText.status[order.status]} · <Moment at={order.created_at} kind="day" />
                    </span>
                  </div>
                  <Money minor={order.total} currency={order.currency} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      ) : (
        <p className="muted">{order_count > 0 ? t.orders.count(order_count) : t.orders.none}</p>
      )}
    </Section>
  );
}
