import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';
import { defined, idOf, oneOf, type Search, textOf } from '../../app/search.ts';

export const statuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'canceled',
] as const satisfies readonly SubscriptionStatus[];

/** What the address says of the list. `customer`, `product`, `order`: only those of this record. */
export type SubscriptionsSearch = {
  status?: SubscriptionStatus;
  customer?: number;
  product?: number;
  order?: number;
  cursor?: string;
  open?: number;
};

export function readSubscriptionsSearch(raw: Search): SubscriptionsSearch {
  return defined({
    status: oneOf(statuses, raw['status']),
    customer: idOf(raw['customer']),
    product: idOf(raw['product']),
    order: idOf(raw['order']),
    cursor: textOf(raw['cursor']),
    open: idOf(raw['open']),
  });
}
