import { queryOptions } from '@tanstack/react-query';
import { api, partOf } from '../api/client.ts';
import type { Choice } from '../ui/picker.tsx';
import { bytesText } from './values.tsx';

const FOUND_MAX = 8;

export const recordKinds = ['order_ids', 'customer_ids', 'product_ids'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** The permission that the names of these records need. */
export const readPermission: Record<RecordKind, string> = {
  order_ids: 'admin_api.orders.read',
  customer_ids: 'admin_api.customers.read',
  product_ids: 'admin_api.products.read',
};

const finders: Record<RecordKind, (query: { per_page: number; search?: string }) => Promise<Choice[]>> = {
  order_ids: async (query) =>
    (await api.orders.list({ ...query, include_test: true })).data.map(({ id, public_id, customer_name }) => ({
      id,
      name: public_id,
      note: customer_name,
    })),
  customer_ids: async (query) => (await api.customers.list(query)).data.map(({ id, name, email }) => ({ id, name, note: email })),
  product_ids: async (query) => (await api.products.list(query)).data.map(({ id, name }) => ({ id, name })),
};

export function foundRecords(kind: RecordKind) {
  return (typed: string) => {
    const query = { per_page: FOUND_MAX, ...(typed === '' ? {} : { search: typed }) };
    return queryOptions({ queryKey: ['find', kind, query], queryFn: () => finders[kind](query) });
  };
}

export function foundFiles(typed: string) {
  const query = { per_page: FOUND_MAX, ...(typed === '' ? {} : { search: typed }) };
  return queryOptions({
    queryKey: ['find', 'files', query],
    queryFn: async () =>
      (await api.files.list(query)).data.map(
        ({ id, original_filename, file_size }): Choice => ({
          id,
          name: original_filename,
          note: bytesText(file_size),
        }),
      ),
  });
}

/** The name of a file that a value names; null without the permission to read files. */
export function fileRecord(id: number) {
  return queryOptions({ queryKey: ['files.get', id], queryFn: () => api.files.get(id), staleTime: Number.POSITIVE_INFINITY });
}

export function uploadFile(file: File) {
  return api.files.create({ file: partOf(file) });
}
