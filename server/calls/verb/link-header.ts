import { z } from 'zod';

const PageForm = z.object({ page: z.int(), total_pages: z.int(), next_cursor: z.string().nullish() });

/** The `Link` header of a page list: first, prev, next and last (spec PG3); of a list read by cursor, only first and next; of changes, only next. */
export function linkHeader(pathname: string, search: URLSearchParams, result: unknown): string | null {
  const form = PageForm.safeParse(result);
  if (!form.success) return null;
  const { page, total_pages: pages, next_cursor: cursor } = form.data;
  const link = (rel: string, name: 'page' | 'cursor', value: string): string => {
    const query = new URLSearchParams(search);
    query.delete('page');
    query.delete('cursor');
    query.set(name, value);
    return `<${pathname}?${query}>; rel="${rel}"`;
  };
  if (search.get('after')) return cursor ? link('next', 'cursor', cursor) : null;
  if (search.get('cursor')) {
    return [link('first', 'page', '1'), ...(cursor ? [link('next', 'cursor', cursor)] : [])].join(', ');
  }
  if (pages === 0) return null;
  const links = [link('first', 'page', '1')];
  if (page > 1) links.push(link('prev', 'page', String(Math.min(page - 1, pages))));
  if (page < pages) links.push(link('next', 'page', String(page + 1)));
  return [...links, link('last', 'page', String(pages))].join(', ');
}
