import type { ProductStatus } from '../../../contract/products.ts';
import { defined, flagOf, idOf, type ListSearch, oneOf, readListSearch, type Search } from '../../parts/search.ts';

export const productStatuses = ['active', 'draft', 'archived'] as const satisfies readonly ProductStatus[];

export const productKinds = ['physical', 'digital'] as const;
export const stockStates = ['low', 'none'] as const;

export type ProductsSearch = ListSearch & {
  status?: ProductStatus;
  kind?: (typeof productKinds)[number];
  stock?: (typeof stockStates)[number];
};

export function readProductsSearch(raw: Search): ProductsSearch {
  return {
    ...readListSearch(raw),
    ...defined({
      status: oneOf(productStatuses, raw['status']),
      kind: oneOf(productKinds, raw['kind']),
      stock: oneOf(stockStates, raw['stock']),
    }),
  };
}

/** `open`: a variant. */
export function readProductSearch(raw: Search): { open?: number; new?: true } {
  return defined({ open: idOf(raw['open']), new: flagOf(raw['new']) });
}
