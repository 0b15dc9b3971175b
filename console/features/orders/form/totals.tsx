import type { OrderTotals } from '../../../../contract/order-edits.ts';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Change } from '../../../ui/change.tsx';

const t = orderText.totals;

type Props = {
  before: OrderTotals;
  /** While it is edited: what the totals would be. */
  after?: OrderTotals | undefined;
  currency: string;
  isTaxContained: boolean;
};

/** The sums of an order, all from the server; where an edit changes one, as it was and as it would be. */
export function Totals({ before, after = before, currency, isTaxContained }: Props) {
  const money = useMoney();
  const rows = [
    [t.subtotal, before.subtotal, after.subtotal],
    [t.discount, -before.discount, -after.discount],
    [t.shipping, before.shipping, after.shipping],
    [isTaxContained ? t.taxContained : t.tax, before.tax, after.tax],
  ] as const;
  const cell = (was: number, is: number) =>
    was === is ? money(is || 0, currency) : <Change before={money(was || 0, currency)} after={money(is || 0, currency)} />;
  return (
    <table className="totals" aria-label={t.title}>
      <tbody>
        {rows.map(([name, was, is]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">{cell(was, is)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.total}</th>
          <td className="number">{cell(before.total, after.total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

export function totalsOf(order: OrderDetail): OrderTotals {
  const { subtotal, tax_amount: tax, shipping_cost: shipping, discount_amount: discount, total } = order;
  return { subtotal, tax, shipping, discount, total };
}

/** What is still to be paid, or was paid too much: with what was paid already, which the total alone does not say. */
export function Balance({ cents, currency, paid }: { cents: number; currency: string; paid: number }) {
  const money = useMoney();
  if (cents === 0) return paid === 0 ? null : <p className="muted">{t.settled}</p>;
  return (
    <p>
      <span className="tag need">{cents > 0 ? t.owed(money(cents, currency)) : t.credit(money(-cents, currency))}</span>{' '}
      <PaidSoFar paid={paid} currency={currency} />
    </p>
  );
}

/** Also of a cancelled order, which nothing is owed for: what was paid is still here. */
export function PaidSoFar({ paid, currency }: { paid: number; currency: string }) {
  const money = useMoney();
  return paid === 0 ? null : <span className="muted">{t.paidSoFar(money(paid, currency))}</span>;
}
