import type { OrderDetail, OrderStatus } from '../../../../contract/orders.ts';
import { useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Asked } from '../list/asked.tsx';
import { useBulkStatus } from '../list/use-bulk-status.ts';

const t = orderText.state;

type Props = { order: OrderDetail; to: Exclude<OrderStatus, 'pending'>; kind?: 'plain' | 'danger' };

/** Sets the status at once, as in the list: what cannot be taken back is asked about, everything else can be undone for a while. */
export function StatusAct({ order, to, kind = 'plain' }: Props) {
  const { id, status, currency, paid_total_cents: paid } = order;
  const money = useMoney();
  const change = useBulkStatus([id]);
  const { choose, set } = change;
  const error = choose.error ?? set.error;
  // Once it is done there is no further act in its place, which a quick second click would hit.
  if (status === to) return null;
  return (
    <>
      <Button kind={kind} disabled={choose.isPending || set.isPending} onClick={() => choose.mutate(to)}>
        {t.acts[to]}
      </Button>
      {error ? <Problem error={error} /> : null}
      <Asked status={change} count={1} words="" paid={paid > 0 ? money(paid, currency) : undefined} />
    </>
  );
}
