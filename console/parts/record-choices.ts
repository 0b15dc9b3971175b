import { api, partOf } from '../api/client.ts';
import { bytesText } from '../language/formats.ts';
import { type Choice, choicesQuery } from '../ui/picker.tsx';
import { queryOf } from './queries.ts';

const FOUND_MAX = 8;
const MINUTE_MS = 60_000;

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
  return (typed: string) => choicesQuery(kind, typed, () => finders[kind](found(typed)));
}

const found = (search: string) => ({ per_page: FOUND_MAX, ...(search === '' ? {} : { search }) });

export function foundFiles(typed: string) {
  return choicesQuery('files', typed, async () =>
    (await api.files.list(found(typed))).data.map(({ id, original_filename, file_size }) => ({
      id,
      name: original_filename,
      note: bytesText(file_size),
    })),
  );
}

export function foundImages(typed: string) {
  return choicesQuery('media', typed, async () =>
    (await api.media.list(found(typed))).data.map(({ id, filename, width, height }) => ({
      id,
      name: filename,
      note: `${width} × ${height}`,
    })),
  );
}

/** `note` is the address of the page in the shop. */
export function foundPages(typed: string) {
  return choicesQuery('pages', typed, async () =>
    (await api.pages.list(typed === '' ? {} : { search: typed }))
      .slice(0, FOUND_MAX)
      .map(({ id, title, slug }) => ({ id, name: title, note: `/${slug}` })),
  );
}

export const image = queryOf('media.get', api.media.get, { staleTime: MINUTE_MS });
export const fileRecord = queryOf('files.get', api.files.get, { staleTime: MINUTE_MS });

export function uploadFile(file: File) {
  return api.files.create({ file: partOf(file) });
}

export function uploadImage(file: File) {
  return api.media.create({ file: partOf(file) });
}
