import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordQuery } from '../../parts/record-query.ts';
import { defined, type ListSearch } from '../../parts/search.ts';

export function themesPage({ q }: ListSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search: q, cursor }) };
  return rowsQuery('themes.list', query, () => api.themes.list(query));
}

export function themeRecord(id: number) {
  return recordQuery(['themes.get', id], () => api.themes.get(id));
}

export function templates(id: number) {
  return queryOptions({ queryKey: ['themes.list_templates', id], queryFn: () => api.themes.list_templates(id) });
}

/** A template with its source and ETag. */
export function templateRecord(id: number, path: string) {
  return recordQuery(['themes.get_template', id, path], () => api.themes.get_template(id, path));
}

export function pages() {
  return queryOptions({ queryKey: ['pages.list', {}], queryFn: () => api.pages.list() });
}

type Draft = Parameters<typeof api.themes.preview>[1];

/** The template as it would be shown; the last picture stays while the next is made. */
export function templatePreview(id: number, draft: Draft) {
  return queryOptions({
    queryKey: ['themes.preview', id, draft],
    queryFn: () => api.themes.preview(id, draft),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
}

/**
 * Makes an empty template. Where it is stored its path is part of the address, and one that is not accepted is only not found; so the preview,
 * which says what is wrong with it, is asked first.
 */
async function createTemplate(themeId: number, path: string, options: Parameters<typeof api.themes.save_template>[3]) {
  await api.themes.preview(themeId, { path, content: '' });
  return api.themes.save_template(themeId, path, { content: '' }, options);
}

/** What the pages of themes change, and what they read again after 412. */
export const calls = { ...api.themes, createTemplate };
