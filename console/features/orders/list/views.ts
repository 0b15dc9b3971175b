import { ordersText } from '../../../texts/orders.ts';
import type { OrderFilters } from '../search.ts';

const t = ordersText.views;

/** The views that every shop has; they find what the figures of the overview count. */
export const builtInViews: readonly { name: string; filters: OrderFilters }[] = [
  { name: ordersText.all, filters: {} },
  { name: t.toSend, filters: { needs: 'sending' } },
  { name: t.late, filters: { needs: 'attention' } },
  { name: t.failed, filters: { payment: 'failed' } },
  { name: t.cancelled, filters: { status: 'cancelled' } },
];
