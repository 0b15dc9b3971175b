import type { OrderStatusPreview } from '../../../contract/orders.ts';
import { countText } from '../../language/formats.ts';
import { orderStatusText as t } from '../../texts/order-status.ts';

/** How many of the orders would have another status. */
export function changing({ from }: OrderStatusPreview, status: string): number {
  return from.reduce((sum, one) => sum + (one.status === status ? 0 : one.ids.length), 0);
}

/** A change that setting the earlier status again does not take back as a whole. */
export function isForGood(status: string, preview: OrderStatusPreview): boolean {
  return (status === 'cancelled' && changing(preview, status) > 0) || preview.new_downloads > 0;
}

/** What a cancellation does to these orders, by what is really there. `paid`: the money, of one order whose payments are recorded. */
export function CancelEffects({ preview, paid }: { preview: OrderStatusPreview; paid?: string | undefined }) {
  const count = changing(preview, 'cancelled');
  const { returned_pieces, sent_orders, returned_vouchers, paid_orders, bought_labels, ended_downloads, ended_accesses } = preview;
  const lines = [
    returned_pieces > 0 ? t.pieces(returned_pieces) : t.noPieces,
    sent_orders > 0 ? t.sent(sent_orders) : null,
    paid_orders === 0 ? null : paid === undefined ? t.paid(paid_orders) : t.paidOfOne(paid),
    bought_labels > 0 ? t.labels(bought_labels) : null,
    returned_vouchers > 0 ? t.vouchers(returned_vouchers) : null,
    ended_downloads > 0 ? t.downloads(ended_downloads) : null,
    ended_accesses > 0 ? t.accesses(ended_accesses) : null,
    t.noMail(count),
    preview.started_tasks > 0 ? t.tasks(preview.started_tasks) : null,
    t.reopening,
  ];
  return (
    <ul aria-label={t.cancelTitle(count, countText(count))}>{lines.map((line) => (line === null ? null : <li key={line}>{line}</li>))}</ul>
  );
}
