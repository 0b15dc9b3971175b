import type { ReactNode } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { orderText as t } from '../../../texts/order.ts';
import { Section } from '../../../ui/page.tsx';
import { ReadLines } from './lines.tsx';
import { Balance, PaidSoFar, Totals, totalsOf } from './totals.tsx';

type Props = { order: OrderDetail; note?: string; lines?: ReactNode; price?: ReactNode };

/** The lines of an order and their sums, to be read; `lines`, `price`: the acts beside their heads. */
export function ReadGoods({ order, note, lines, price }: Props) {
  return (
    <>
      <Section title={t.lines.title} act={lines}>
        {note === undefined ? null : <p className="muted">{note}</p>}
        <ReadLines order={order} />
      </Section>
      <Section title={t.totals.title} act={price}>
        <Totals before={totalsOf(order)} currency={order.currency} isTaxContained={order.prices_include_tax} />
        {order.status === 'cancelled' ? (
          <PaidSoFar paid={order.paid_total_cents} currency={order.currency} />
        ) : (
          <Balance cents={order.balance_due_cents} currency={order.currency} paid={order.paid_total_cents} />
        )}
      </Section>
    </>
  );
}
