import type { OrderDetail } from '../../../../contract/orders.ts';
import { orderText as t } from '../../../texts/order.ts';
import { Section } from '../../../ui/page.tsx';
import { ReadLines } from './lines.tsx';
import { Balance, Totals, totalsOf } from './totals.tsx';

/** The lines of an order and their sums, to be read. */
export function ReadGoods({ order, note }: { order: OrderDetail; note?: string }) {
  return (
    <>
      <Section title={t.lines.title}>
        {note === undefined ? null : <p className="muted">{note}</p>}
        <ReadLines order={order} />
      </Section>
      <Section title={t.totals.title}>
        <Totals before={totalsOf(order)} currency={order.currency} isTaxContained={order.prices_include_tax} />
        {order.status === 'cancelled' ? null : (
          <Balance cents={order.balance_due_cents} currency={order.currency} paid={order.paid_total_cents} />
        )}
      </Section>
    </>
  );
}
