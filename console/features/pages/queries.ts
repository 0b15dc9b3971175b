import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PageDraft, PageSummary } from '../../../contract/pages.ts';
import { api, type Tagged, tagged } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { queryOf } from '../../parts/queries.ts';

export type ListedPage = PageSummary & { hasDraft: boolean };

export function pagesList(q: string | undefined) {
  return wholeList('pages.list', { q }, async (): Promise<ListedPage[]> => {
    const [pages, drafts] = await Promise.all([api.pages.list(q === undefined ? {} : { search: q }), api.pages.list_drafts()]);
    const drafted = new Set(drafts.map(({ page_id }) => page_id));
    return pages.map((page) => ({ ...page, hasDraft: drafted.has(page.id) }));
  });
}

/**
 * A page as it would be with its draft, and the page's ETag, which each change of the draft raises. The ETag is read first: what is saved
 * with it is refused if anything has changed since.
 */
export async function readPage(id: number): Promise<Tagged<PageDraft>> {
  const { etag } = await tagged(api.pages.get(id));
  return { value: await api.pages.get_draft(id), etag };
}

export const pageRecord = (id: number) =>
  queryOptions({ queryKey: ['pages.get_draft', id, 'etag'], queryFn: () => readPage(id), structuralSharing: false });
export const translations = queryOf('pages.list_translations', api.pages.list_translations);

/** The page as it would be; the last one stays while the next is made. */
export const draftPreview = queryOf('pages.preview_draft', api.pages.preview_draft, {
  placeholderData: keepPreviousData,
  refetchInterval: false,
});

/** What the pages of pages change, and what they read again after 412. */
export const calls = api.pages;
