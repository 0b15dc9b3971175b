import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OrderDetail, OrderStatusPreview } from '../../../../contract/orders.ts';
import { useMoney } from '../../../parts/values.tsx';
import { orderStatusText as t } from '../../../texts/order-status.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { statusPreview } from '../order-queries.ts';
import { CancelEffects, isForGood } from '../status-effects.tsx';
import type { OrderEdit } from './use-order-edit.ts';

/** `isAsking`: what would be saved is being looked at, or saved; a second save would send it twice. */
type Guarded = { save(): Promise<void>; isAsking: boolean; failure: unknown; question: ReactNode };

/** Asks before a status is saved that cannot be taken back as a whole, with what it does to this order. */
export function useCancelQuestion(order: OrderDetail, { form }: OrderEdit): Guarded {
  const queries = useQueryClient();
  const money = useMoney();
  const [asked, ask] = useState<OrderStatusPreview | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);
  const { status } = form.values;
  async function save(): Promise<void> {
    if (isAsking) return;
    const focused = document.activeElement;
    // A held field loses the focus; the question gives it back to where it was when it opened.
    const release = (): void => {
      flushSync(() => setAsking(false));
      if (focused instanceof HTMLElement) focused.focus();
    };
    setAsking(true);
    setFailure(null);
    try {
      const preview = status === form.base.status ? null : await queries.fetchQuery(statusPreview({ ids: [order.id], status }));
      if (preview && isForGood(status, preview)) {
        release();
        ask(preview);
      } else await form.save();
    } catch (error) {
      release();
      setFailure(error);
    } finally {
      setAsking(false);
    }
  }
  function close(): void {
    ask(null);
  }
  const onAct = (): void => {
    close();
    void form.save();
  };
  if (asked === null) return { save, isAsking, failure, question: null };
  const question =
    status === 'cancelled' ? (
      <Confirm title={t.cancelTitle(1, '1')} act={t.cancelAct(1, '1')} back={t.keep(1)} isDanger onAct={onAct} close={close}>
        <CancelEffects preview={asked} paid={order.paid_total_cents > 0 ? money(order.paid_total_cents, order.currency) : undefined} />
      </Confirm>
    ) : (
      <Confirm title={t.deliverTitle} act={t.deliverAct} onAct={onAct} close={close}>
        <p>{t.newDownloads(asked.new_downloads)}</p>
      </Confirm>
    );
  return { save, isAsking, failure, question };
}
