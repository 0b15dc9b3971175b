import type { OrderDetail } from '../../../../contract/orders.ts';
import { shipmentsText as t } from '../../../texts/order-shipments.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Asked } from '../list/asked.tsx';
import { useBulkStatus } from '../list/use-bulk-status.ts';

/** What follows once a parcel has its number, offered where that is seen; it can be undone as a change in the list can. */
export function MarkShipped({ order: { id, status } }: { order: OrderDetail }) {
  const change = useBulkStatus([id]);
  const { choose, set } = change;
  const error = choose.error ?? set.error;
  if (status !== 'pending' && status !== 'processing') return null;
  return (
    <>
      <Button disabled={choose.isPending || set.isPending} onClick={() => choose.mutate('shipped')}>
        {t.markShipped}
      </Button>
      {error ? <Problem error={error} /> : null}
      <Asked status={change} count={1} words="" />
    </>
  );
}
