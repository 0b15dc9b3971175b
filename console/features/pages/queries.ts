import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, tagged } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { choicesQuery } from '../../ui/picker.tsx';

const FOUND_MAX = 8;
const MINUTE_MS = 60_000;

export function pagesList(q: string | undefined) {
  return wholeList('pages.list', { q }, () => api.pages.list(q === undefined ? {} : { search: q }));
}

/** A page with its template of the active theme, and its ETag. */
export function pageRecord(id: number) {
  return queryOptions({ queryKey: ['pages.get', id], queryFn: () => tagged(api.pages.get(id)), structuralSharing: false });
}

export function translations(id: number) {
  return queryOptions({ queryKey: ['pages.list_translations', id], queryFn: () => api.pages.list_translations(id) });
}

type Draft = NonNullable<Parameters<typeof api.pages.preview_draft>[1]>;

/** The page as it would be; the last one stays while the next is made. */
export function draftPreview(id: number, draft: Draft) {
  return queryOptions({
    queryKey: ['pages.preview_draft', id, draft],
    queryFn: () => api.pages.preview_draft(id, draft),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
}

export function image(id: number) {
  return queryOptions({ queryKey: ['media.get', id], queryFn: () => api.media.get(id), staleTime: MINUTE_MS });
}

export function foundImages(typed: string) {
  const query = { per_page: FOUND_MAX, ...(typed === '' ? {} : { search: typed }) };
  return choicesQuery('media', typed, async () =>
    (await api.media.list(query)).data.map(({ id, filename, width, height }) => ({ id, name: filename, note: `${width} × ${height}` })),
  );
}

const { get, create, update, replace_translations } = api.pages;

/** What the pages of pages change, and what they read again after 412. */
export const calls = { get, create, update, delete: api.pages.delete, replace_translations };
