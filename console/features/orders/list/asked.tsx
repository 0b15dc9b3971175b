import { countText } from '../../../language/formats.ts';
import { orderStatusText } from '../../../texts/order-status.ts';
import { ordersText as t } from '../../../texts/orders.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { CancelEffects, changing } from '../status-effects.tsx';
import { SEEN_AT_ONCE, type useBulkStatus } from './use-bulk-status.ts';

/** `words`: by which filters the orders were found. `paid`: the money of one order whose payments are recorded. */
type Props = { status: ReturnType<typeof useBulkStatus>; count: number; words: string; paid?: string | undefined };

/** The question before what cannot be taken back, and before what is done to orders that nobody has seen. */
export function Asked({ status: { asked, set, close }, count, words, paid }: Props) {
  if (asked === null) return null;
  const { preview } = asked;
  const shared = { isBusy: set.isPending, onAct: () => set.mutate(asked), close };
  const found = count > SEEN_AT_ONCE ? <p>{t.bulkDetail(words)}</p> : null;
  if (asked.status === 'cancelled') {
    const cancelled = changing(preview, 'cancelled');
    const shown = countText(cancelled);
    return (
      <Confirm
        {...shared}
        title={orderStatusText.cancelTitle(cancelled, shown)}
        act={orderStatusText.cancelAct(cancelled, shown)}
        back={orderStatusText.keep(cancelled)}
        isDanger
      >
        {found}
        {cancelled < count ? <p>{orderStatusText.already(count - cancelled, t.status.cancelled)}</p> : null}
        <CancelEffects preview={preview} paid={paid} />
      </Confirm>
    );
  }
  return (
    <Confirm {...shared} title={t.bulkTitle(count, t.status[asked.status])} act={t.bulkAct(count)}>
      {found}
      {preview.new_downloads > 0 ? <p>{orderStatusText.newDownloads(preview.new_downloads)}</p> : null}
    </Confirm>
  );
}
