import type { DomainEvent } from '../../../contract/events.ts';
import { OrderStatus } from '../../../contract/orders.ts';
import type { RowImage } from '../../db/row-images.ts';

/** The events that putting rows back is for those who follow orders; no mail goes out (spec UN8). */
export function eventsOf(images: readonly RowImage[]): DomainEvent[] {
  return images.flatMap(({ table, key, before, after }) => {
    if (table !== 'orders' || before === null || after === null) return [];
    const id = Number(key['id']);
    const events: DomainEvent[] = [];
    if ('status' in after) {
      const status = OrderStatus.parse(after['status']);
      events.push({ type: 'order.status_changed', data: { order_id: id, status, previous_status: OrderStatus.parse(before['status']) } });
      if (status === 'cancelled') events.push({ type: 'order.cancelled', data: { order_id: id } });
    }
    if (after['payment_status'] === 'refunded') events.push({ type: 'order.refunded', data: { order_id: id } });
    return events;
  });
}
