import { ordersText } from '../../../texts/orders.ts';
import type { OrderFilters } from '../search.ts';

const t = ordersText.views;

/** The views that every shop has. A late order should have been delivered by yesterday, and was not sent. */
export function builtInViews(yesterday: string): readonly { name: string; filters: OrderFilters }[] {
  return [
    { name: ordersText.all, filters: {} },
    { name: t.toSend, filters: { status: 'processing' } },
    { name: t.late, filters: { status: 'processing', delivery_to: yesterday } },
    { name: t.failed, filters: { payment: 'failed' } },
    { name: t.cancelled, filters: { status: 'cancelled' } },
  ];
}
