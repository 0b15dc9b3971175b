import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';

export function pagesList(q: string | undefined) {
  return wholeList('pages.list', { q }, () => api.pages.list(q === undefined ? {} : { search: q }));
}

/** A page with its template of the active theme, and its ETag. */
export const pageRecord = recordOf('pages.get', api.pages.get);
export const translations = queryOf('pages.list_translations', api.pages.list_translations);

/** The page as it would be; the last one stays while the next is made. */
export const draftPreview = queryOf('pages.preview_draft', api.pages.preview_draft, {
  placeholderData: keepPreviousData,
  refetchInterval: false,
});

/** What the pages of pages change, and what they read again after 412. */
export const calls = api.pages;
