import { z } from 'zod';
import { pageOf, pageQuery, text } from './values.ts';

/** The query of a list that can be read by page or by cursor. `page` is undefined if it was not sent; it then means 1. */
export function cursorQuery<T extends z.ZodRawShape>(filters: T) {
  return refuseBoth(z.object({ ...cursorFields, per_page: pageQuery.per_page, ...filters }));
}

/** `page` and `cursor`, for lists with a fixed page size. */
export const cursorFields = {
  page: z.int().min(1).optional().meta({ description: 'Number of the page, from 1; default 1' }),
  cursor: text({ max: 2000 }).optional().meta({ description: '`next_cursor` of the previous page; not together with `page`' }),
};

/** Refuses `cursor` and `page` in one query (decisions.md §2, Pagination options). */
export function refuseBoth<T extends z.ZodObject>(query: T): T {
  return query.superRefine((value, ctx) => {
    if (value['cursor'] === undefined || value['page'] === undefined) return;
    ctx.addIssue({ code: 'custom', path: ['cursor'], message: 'cannot be used together with page', params: { code: 'invalid_value' } });
  });
}

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Opaque; pass it as `cursor` to get the next page. null: this is the last page' });

/** The page form with `next_cursor`; the schema is named after the rows, so their schema needs an id. */
export function cursorPageOf<T extends z.ZodType>(row: T) {
  const { id } = row.meta() ?? {};
  if (id === undefined) throw new Error('the schema of the rows of a page needs an id');
  return pageOf(row)
    .extend({ next_cursor: NextCursor })
    .meta({ id: `${id}Page` });
}
