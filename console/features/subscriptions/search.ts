import type { SubscriptionStatus } from '../../../contract/subscriptions.ts';
import { defined, idOf, type ListSearch, oneOf, readListSearch, type Search, without } from '../../parts/search.ts';

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
export type SubscriptionsSearch = Omit<ListSearch, 'new'> & {
  status?: SubscriptionStatus;
  customer?: number;
  product?: number;
  order?: number;
};

export function readSubscriptionsSearch(raw: Search): SubscriptionsSearch {
  return {
    ...without(readListSearch(raw), 'new'),
    ...defined({
      status: oneOf(statuses, raw['status']),
      customer: idOf(raw['customer']),
      product: idOf(raw['product']),
      order: idOf(raw['order']),
    }),
  };
}
