import { dateOf, defined, type ListSearch, oneOf, readListSearch, type Search } from '../../parts/search.ts';

export const customerSorts = ['-created_at', 'created_at', 'name', '-name', 'email', '-email'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** What the address says of the list of customers. */
export type CustomersSearch = ListSearch & { account?: 'with' | 'without'; from?: string; to?: string; sort?: CustomerSort };

export function readCustomersSearch(raw: Search): CustomersSearch {
  return {
    ...readListSearch(raw),
    ...defined({
      account: oneOf(['with', 'without'], raw['account']),
      from: dateOf(raw['from']),
      to: dateOf(raw['to']),
      sort: oneOf(customerSorts, raw['sort']),
    }),
  };
}
