import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Product } from '../../../contract/products.ts';
import { ApiError, api, changeRecord } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';
import { defined } from '../../parts/search.ts';
import type { ProductsSearch } from './search.ts';

const MOVEMENTS = 20;
const MINUTE_MS = 60_000;

export function productsPage({ q, status, kind, stock }: ProductsSearch, cursor: string | undefined) {
  const query = {
    per_page: PAGE_SIZE,
    ...defined({ q, status, kind, cursor }),
    ...(stock === 'low' ? { low_stock: true } : {}),
    ...(stock === 'none' ? { out_of_stock: true } : {}),
  };
  return rowsQuery('products.list', query, () => api.products.list(query));
}

/** A product with its ETag. */
export function productRecord(id: number) {
  return recordQuery(['products.get', id], () => api.products.get(id));
}

/** A variant with its ETag. */
export function variantRecord(id: number) {
  return recordQuery(['products.get_variant', id], () => api.products.get_variant(id));
}

export function stockMovements(id: number) {
  return infiniteQueryOptions({
    queryKey: ['products.list_stock_movements', id],
    queryFn: ({ pageParam }) => api.products.list_stock_movements(id, { limit: MOVEMENTS, ...defined({ before_id: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (movements) => (movements.length < MOVEMENTS ? undefined : movements.at(-1)?.id),
  });
}

export function productAccess(id: number) {
  return queryOptions({ queryKey: ['products.list_access_groups', id], queryFn: () => api.products.list_access_groups(id) });
}

export function accessGroups() {
  return queryOptions({ queryKey: ['access_groups.list'], queryFn: () => api.access_groups.list(), staleTime: MINUTE_MS });
}

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
export const calls = { ...api.products, upload_image: api.media.create };
