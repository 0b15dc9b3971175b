import type { ProductStatus } from '../../../contract/products.ts';
import { defined, flagOf, idOf, type ListSearch, oneOf, readListSearch, type Search, textOf } from '../../parts/search.ts';

export const productStatuses = ['active', 'draft', 'archived'] as const satisfies readonly ProductStatus[];

export const productKinds = ['physical', 'digital'] as const;
export const stockStates = ['low', 'none'] as const;

/** What the API sorts by. */
export const productSorts = [
  'name',
  '-name',
  'price',
  '-price',
  'stock',
  '-stock',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
] as const;

export type ProductFilters = {
  q?: string;
  status?: ProductStatus;
  kind?: (typeof productKinds)[number];
  stock?: (typeof stockStates)[number];
  sort?: (typeof productSorts)[number];
};

/** What the address says of the list of products: the saved view, filters, order, place in it. */
export type ProductsSearch = ListSearch & ProductFilters & { view?: number };

export function readProductsSearch(raw: Search): ProductsSearch {
  return { ...defined({ view: idOf(raw['view']) }), ...readListSearch(raw), ...readProductFilters(raw) };
}

/** Reads filters from an address or a saved view. */
export function readProductFilters(raw: Search): ProductFilters {
  return defined({
    q: textOf(raw['q']),
    status: oneOf(productStatuses, raw['status']),
    kind: oneOf(productKinds, raw['kind']),
    stock: oneOf(stockStates, raw['stock']),
    sort: oneOf(productSorts, raw['sort']),
  });
}

/** `open`: a variant. */
export function readProductSearch(raw: Search): { open?: number; new?: true } {
  return defined({ open: idOf(raw['open']), new: flagOf(raw['new']) });
}
