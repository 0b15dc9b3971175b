import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';

export function pagesList(q: string | undefined) {
  return wholeList('pages.list', { q }, () => api.pages.list(q === undefined ? {} : { search: q }));
}

/** A page with its template of the active theme, and its ETag. */
export function pageRecord(id: number) {
  return recordQuery(['pages.get', id], () => api.pages.get(id));
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

/** What the pages of pages change, and what they read again after 412. */
export const calls = api.pages;
