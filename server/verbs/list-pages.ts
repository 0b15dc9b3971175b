import { z } from 'zod';
import type { List, ListOrder, Position, Reading, SortColumn } from '../db/queries/keyset.ts';
import { Refusal, refuseParameter } from './problem.ts';

/** The sort column of lists in order of creation. */
export const BY_CREATION = { name: 'created_at', type: 'text' } as const satisfies SortColumn;

export const NEWEST_FIRST = { ...BY_CREATION, descending: true } as const;

/** The columns of `timeSorts`. */
export const TIMES: Readonly<Record<string, SortColumn>> = { created_at: BY_CREATION, updated_at: { name: 'updated_at', type: 'text' } };

/** Reads one page of a list that has only one order. */
export async function listPage<T extends { id: number }>(query: PageQuery, order: ListOrder, list: List<T>) {
  return sortedPage(query, order.descending ? `-${order.name}` : order.name, { [order.name]: order }, list);
}

/** Reads one page of a list in the order of `sort`, for which `columns` gives the columns. */
export async function sortedPage<T extends { id: number }>(
  query: PageQuery,
  sort: string,
  columns: Readonly<Record<string, SortColumn>>,
  list: List<T>,
) {
  const reading = readingOf(query, sort, columns);
  const keys = await list.keys(reading);
  const total = await list.count();
  const shown = keys.slice(0, reading.perPage).map(({ id }) => id);
  return pageForm(reading, total, keys, shown.length > 0 ? await list.rows(shown) : []);
}

export type PageQuery = { page?: number | undefined; cursor?: string | undefined; per_page: number };

/** Translates a list's query; `columns` gives the column for each value of `sort`. */
export function readingOf(query: PageQuery, sort: string, columns: Readonly<Record<string, SortColumn>>): Reading {
  const descending = sort.startsWith('-');
  const column = columns[descending ? sort.slice(1) : sort];
  if (!column) throw new Error(`no column for the sort key ${sort}`);
  const asked = { sort, column, descending, perPage: query.per_page };
  if (query.cursor === undefined) return { ...asked, page: query.page ?? 1, after: null };
  return { ...asked, ...positionIn(query.cursor, sort, column) };
}

/** The page form (spec PG1). `keys` may hold one position more than the page shows; that means there is a next page. */
export function pageForm<T extends { id: number }>(reading: Reading, total: number, keys: readonly Position[], rows: readonly T[]) {
  return formWith(reading, total, keys, rows, (last) => cursorAfter(reading, last));
}

/** The page form with a cursor of another kind. */
export function formWith<T extends { id: number }>(
  { page, perPage }: Pick<Reading, 'page' | 'perPage'>,
  total: number,
  keys: readonly Position[],
  rows: readonly T[],
  cursorAfter: (last: Position) => string,
) {
  const shown = keys.slice(0, perPage);
  const last = shown.at(-1);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    data: shown.flatMap(({ id }) => byId.get(id) ?? []),
    page,
    per_page: perPage,
    total,
    total_pages: Math.ceil(total / perPage),
    next_cursor: last && keys.length > shown.length ? cursorAfter(last) : null,
  };
}

/** A cursor holds the sort, the value and id of the last row shown, and the number of the next page. */
const Cursor = z.tuple([z.string(), z.union([z.string(), z.int()]), z.int(), z.int().min(1)]);

export function cursorAfter({ sort, page }: Reading, { value, id }: Position): string {
  const cursor: z.infer<typeof Cursor> = [sort, value, id, page + 1];
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function positionIn(text: string, sort: string, column: SortColumn): { page: number; after: Position } {
  const cursor = Cursor.safeParse(jsonIn(text));
  if (!cursor.success) throw refuseParameter('invalid_value', 'cursor', 'must be next_cursor of this list');
  const [cursorSort, value, id, page] = cursor.data;
  if (cursorSort !== sort) throw refuseParameter('invalid_value', 'cursor', 'the cursor belongs to a list with another sort');
  const fits = column.type === 'text' ? typeof value === 'string' && !value.includes('\u0000') : typeof value === 'number';
  if (!fits) throw refuseParameter('invalid_value', 'cursor', 'must be next_cursor of this list');
  return { page, after: { value, id } };
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Refuses a list of ids of more records than one list may have. */
export function refuseTooMany(what: string, total: number, most: number): void {
  if (total <= most) return;
  const [found, listed] = [total, most].map((n) => n.toLocaleString('en'));
  throw new Refusal('too_many_matches', `${found} ${what} match; the ids of at most ${listed} can be listed. Narrow the filters.`, {
    extra: { total, most },
  });
}
