import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { queryOf, recordOf } from '../../parts/queries.ts';
import { defined, type ListSearch } from '../../parts/search.ts';

export function themesPage({ q }: ListSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ search: q, cursor }) };
  return rowsQuery('themes.list', query, () => api.themes.list(query));
}

export const themeRecord = recordOf('themes.get', api.themes.get);
export const templates = queryOf('themes.list_templates', api.themes.list_templates);
/** A template with its source and ETag. */
export const templateRecord = recordOf('themes.get_template', api.themes.get_template);
export const pages = queryOf('pages.list', api.pages.list)();

/** The template as it would be shown; the last picture stays while the next is made. */
export const templatePreview = queryOf('themes.preview', api.themes.preview, { placeholderData: keepPreviousData, refetchInterval: false });

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
