import { z } from 'zod';
import { pageOf, pageQuery, TimestampInput, text } from './values.ts';

/** The query of a list that can be read by page or by cursor. `page` is undefined if it was not sent; it then means 1. */
export function cursorQuery<T extends z.ZodRawShape>(filters: T) {
  return refuseBoth(z.object({ ...cursorFields, per_page: pageQuery.per_page, ...filters }));
}

/** `page` and `cursor`, for lists with a fixed page size. */
export const cursorFields = {
  page: z.int().min(1).optional().meta({ description: 'Number of the page, from 1; default 1' }),
  cursor: text({ max: 4000 }).optional().meta({ description: '`next_cursor` of the previous page; not together with `page`' }),
};

/** Refuses `cursor` and `page` in one query (spec PG5). */
export function refuseBoth<T extends z.ZodObject>(query: T): T {
  return refuseTogether(query, 'cursor', 'page');
}

/** The value of `after` for a list of everything. */
export const FROM_START = 'start';

export const updatedSince = TimestampInput.optional().meta({
  description: 'Only records whose `updated_at` is this time or later. To follow changes, use `after`, which misses none',
});

/** The query of a list of records that change: such a list can also be read in the order of change. */
export function changingQuery<T extends z.ZodRawShape, const Sorts extends readonly string[]>(filters: T, sorts: Sorts) {
  const query = cursorQuery({
    ...filters,
    updated_since: updatedSince,
    sort: z.enum<Sorts>(sorts).default(NEWEST_FIRST),
    after: text({ max: 4000 })
      .optional()
      .meta({
        description: `\`changes_cursor\` of an earlier list, or \`${FROM_START}\`: lists what was created or changed since, in the order of the last change, each record once. Not together with \`page\` or \`sort\``,
      }),
  });
  return refuseSort(refuseTogether(query, 'after', 'page'));
}

/** The order of a list without `sort`. */
const NEWEST_FIRST = '-created_at';

export const timeSorts = ['created_at', NEWEST_FIRST, 'updated_at', '-updated_at'] as const;

function refuseSort<T extends z.ZodObject>(query: T): T {
  return query.superRefine((value, ctx) => {
    if (value['after'] === undefined || value['sort'] === NEWEST_FIRST) return;
    const message = 'cannot be used together with after, which lists in the order of change';
    ctx.addIssue({ code: 'custom', path: ['sort'], message, params: { code: 'invalid_value' } });
  });
}

function refuseTogether<T extends z.ZodObject>(query: T, one: string, other: string): T {
  return query.superRefine((value, ctx) => {
    if (value[one] === undefined || value[other] === undefined) return;
    ctx.addIssue({ code: 'custom', path: [one], message: `cannot be used together with ${other}`, params: { code: 'invalid_value' } });
  });
}

export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Opaque; pass it as `cursor` to get the next page. null: this is the last page' });

/** The page form with `next_cursor`; the schema is named after the rows, so their schema needs an id. */
export function cursorPageOf<T extends z.ZodType>(row: T) {
  return pageWith(row, { next_cursor: NextCursor });
}

/** The same for a list that `after` can read. */
export function changingPageOf<T extends z.ZodType>(row: T) {
  return pageWith(row, {
    next_cursor: NextCursor,
    changes_cursor: z.string().exactOptional().meta({
      description: 'With `after` only, the same on each page: once the last page is done, pass it as `after` to get what changed since',
    }),
  });
}

function pageWith<T extends z.ZodType, Fields extends z.ZodRawShape>(row: T, fields: Fields) {
  const { id } = row.meta() ?? {};
  if (id === undefined) throw new Error('the schema of the rows of a page needs an id');
  return pageOf(row)
    .extend(fields)
    .meta({ id: `${id}Page` });
}
