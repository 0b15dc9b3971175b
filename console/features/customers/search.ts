import { dateOf, defined, idOf, type ListSearch, oneOf, readListSearch, type Search, textOf } from '../../parts/search.ts';

export const customerSorts = ['-created_at', 'created_at', 'name', '-name', 'email', '-email'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** Which customers are listed, and in which order. */
export type CustomerFilters = { q?: string; account?: 'with' | 'without'; from?: string; to?: string; sort?: CustomerSort };

/** What the address says of the list of customers: the saved view, filters, place in it. */
export type CustomersSearch = ListSearch & CustomerFilters & { view?: number };

export function readCustomersSearch(raw: Search): CustomersSearch {
  return { ...defined({ view: idOf(raw['view']) }), ...readListSearch(raw), ...readCustomerFilters(raw) };
}

/** Reads filters from an address or a saved view. */
export function readCustomerFilters(raw: Search): CustomerFilters {
  return defined({
    q: textOf(raw['q']),
    account: oneOf(['with', 'without'], raw['account']),
    from: dateOf(raw['from']),
    to: dateOf(raw['to']),
    sort: oneOf(customerSorts, raw['sort']),
  });
}
