import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Product } from '../../../contract/products.ts';
import { ApiError, api, changeRecord } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { ProductFilters } from './search.ts';

const MOVEMENTS = 20;
const MINUTE_MS = 60_000;

/** The filters as the API names them. */
function filterOf({ q, status, kind, stock, sort }: ProductFilters) {
  return defined({
    q,
    status,
    kind,
    sort,
    low_stock: stock === 'low' ? true : undefined,
    out_of_stock: stock === 'none' ? true : undefined,
  });
}

/** The ids of all products that match. */
export async function allIds(filters: ProductFilters): Promise<number[]> {
  return (await api.products.list_ids(filterOf(filters))).ids;
}

export function productsPage(filters: ProductFilters, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...filterOf(filters), ...defined({ cursor }) };
  return rowsQuery('products.list', query, () => api.products.list(query));
}

/** A product with its ETag. */
export const productRecord = recordOf('products.get', api.products.get);
/** A variant with its ETag. */
export const variantRecord = recordOf('products.get_variant', api.products.get_variant);

export function stockMovements(id: number) {
  return infiniteQueryOptions({
    queryKey: ['products.list_stock_movements', id],
    queryFn: ({ pageParam }) => api.products.list_stock_movements(id, { limit: MOVEMENTS, ...defined({ before_id: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (movements) => (movements.length < MOVEMENTS ? undefined : movements.at(-1)?.id),
  });
}

export const productAccess = queryOf('products.list_access_groups', api.products.list_access_groups);
export const accessGroups = queryOf('access_groups.list', api.access_groups.list, { staleTime: MINUTE_MS })();

/** Changes the images or files of a product as they are now. */
export function changeIds(id: number, name: 'media_ids' | 'file_ids', edit: (ids: readonly number[]) => number[]): Promise<Product> {
  return changeRecord(
    () => api.products.get(id),
    (product, options) => api.products.update(id, { [name]: edit(product[name]) }, options),
  );
}

/** Deletes a product. One that was ordered is archived instead, and comes back. */
export async function deleteProduct(id: number): Promise<Product | null> {
  await api.products.delete(id);
  try {
    return await api.products.get(id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** What the pages of products change, and what they read again after 412. */
export const calls = api.products;
