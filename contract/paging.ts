import { z } from 'zod';
import { pageOf, pageQuery, text } from './values.ts';

/** Query of a page list that also reads by cursor; `page` stays undefined when not sent (it then means 1). */
export function cursorQuery<T extends z.ZodRawShape>(filters: T) {
  return refuseBoth(z.object({ ...cursorFields, per_page: pageQuery.per_page, ...filters }));
}

/** `page` and `cursor` of lists whose page size is fixed. */
export const cursorFields = {
  page: z.int().min(1).optional().meta({ description: 'Number of the page, from 1; default 1' }),
  cursor: text({ max: 2000 }).optional().meta({ description: '`next_cursor` of the page before; not together with `page`' }),
};

/** `cursor` and `page` together are refused (decisions.md §2, Pagination options). */
export function refuseBoth<T extends z.ZodObject>(query: T): T {
  return query.superRefine((value, ctx) => {
    if (value['cursor'] === undefined || value['page'] === undefined) return;
    ctx.addIssue({ code: 'custom', path: ['cursor'], message: 'not together with page', params: { code: 'invalid_value' } });
  });
}

export const NextCursor = z.string().nullable().meta({ description: 'Opaque; null at the end' });

/** The page form with `next_cursor`; named after its rows. */
export function cursorPageOf<T extends z.ZodType>(row: T) {
  const { id } = row.meta() ?? {};
  if (id === undefined) throw new Error('the rows of a page have a name');
  return pageOf(row)
    .extend({ next_cursor: NextCursor })
    .meta({ id: `${id}Page` });
}
