import { useEffect, useRef, useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import type { Tagged } from '../../../api/client.ts';
import { useMay } from '../../../parts/shop.ts';
import { orderText as t } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { EditOrder } from '../form/edit.tsx';
import type { EditPart } from '../form/edit-place.ts';
import { ReadGoods } from '../form/read-goods.tsx';
import { Extras } from './extras.tsx';
import { OrderState } from './state.tsx';

/**
 * The order to be read and, by one act beside each of its parts, to be edited from there. What is typed stays, with the act that saves it,
 * while another part is looked at.
 */
export function OrderItself({ order, isAway }: { order: Tagged<OrderDetail>; isAway: boolean }) {
  const mayWrite = useMay()('admin_api.orders.write');
  const [edited, edit] = useState<EditPart | null>(null);
  const [saved, setSaved] = useState<EditPart | null>(null);
  const [from, setFrom] = useState<EditPart>('state');
  const place = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && edited === null) place.current?.querySelector<HTMLElement>(`[data-part="${from}"] button`)?.focus();
    wasEditing.current = edited !== null;
  }, [edited, from]);
  const open = (part: EditPart): void => {
    setSaved(null);
    setFrom(part);
    edit(part);
  };
  useShortcuts(mayWrite && edited === null && !isAway ? { e: { name: t.edit.form, act: () => open('state') } } : {});
  if (edited !== null) {
    return (
      <div className={isAway ? 'order-tab away' : 'order-tab'}>
        <EditOrder
          order={order}
          from={edited}
          close={(isSaved) => {
            setSaved(isSaved ? edited : null);
            edit(null);
          }}
        />
      </div>
    );
  }
  const act = (part: EditPart) => (
    <div data-part={part} className="acts">
      <span role="status" className="muted">
        {saved === part ? t.edit.saved : ''}
      </span>
      <Button {...(part === 'state' ? { keys: 'e' } : { kind: 'quiet', 'aria-label': t.edit.openPart[part] })} onClick={() => open(part)}>
        {t.edit.open}
      </Button>
    </div>
  );
  // Of a cancelled order nothing but its state is edited.
  const acts = mayWrite && order.value.status !== 'cancelled' ? act : undefined;
  return (
    <div ref={place} className="order-tab" hidden={isAway}>
      <Section title={t.state.title} act={mayWrite ? act('state') : undefined}>
        <OrderState order={order.value} />
      </Section>
      <ReadGoods order={order.value} lines={acts?.('lines')} price={acts?.('price')} />
      <Extras order={order.value} person={acts?.('person')} />
    </div>
  );
}
