import { useEffect, useRef, useState } from 'react';
import type { OrderDetail } from '../../../../contract/orders.ts';
import type { Tagged } from '../../../api/client.ts';
import { useMay } from '../../../parts/shop.ts';
import { orderText as t } from '../../../texts/order.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { EditOrder } from '../form/edit.tsx';
import { ReadGoods } from '../form/read-goods.tsx';
import { Extras } from './extras.tsx';
import { OrderState } from './state.tsx';

/** The order to be read and, by one act, to be edited. What is typed stays, with the act that saves it, while another part is looked at. */
export function OrderItself({ order, isAway }: { order: Tagged<OrderDetail>; isAway: boolean }) {
  const mayWrite = useMay()('admin_api.orders.write');
  const [isEditing, setEditing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const button = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.querySelector('button')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const open = (): void => {
    setSaved(false);
    setEditing(true);
  };
  useShortcuts(mayWrite && !isEditing && !isAway ? { e: { name: t.edit.form, act: open } } : {});
  if (isEditing) {
    return (
      <div className={isAway ? 'order-tab away' : 'order-tab'}>
        <EditOrder
          order={order}
          close={(saved) => {
            setSaved(saved);
            setEditing(false);
          }}
        />
      </div>
    );
  }
  const act = (
    <div ref={button} className="acts">
      <span role="status" className="muted">
        {isSaved ? t.edit.saved : ''}
      </span>
      <Button keys="e" onClick={open}>
        {t.edit.open}
      </Button>
    </div>
  );
  return (
    <div className="order-tab" hidden={isAway}>
      <Section title={t.state.title} act={mayWrite ? act : undefined}>
        <OrderState order={order.value} />
      </Section>
      <ReadGoods order={order.value} />
      <Extras order={order.value} />
    </div>
  );
}
