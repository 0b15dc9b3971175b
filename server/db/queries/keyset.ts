import { type SelectQueryBuilder, sql } from 'kysely';

export type SortColumn = { name: string; type: 'text' | 'integer' };

/** The order of a list. */
export type ListOrder = SortColumn & { descending?: boolean };

/** The position of a row in a list: its sort value, then its id. */
export type Position = { value: string | number; id: number };

/** The request for one page of a list, by page number or after a position. */
export type Reading = {
  sort: string;
  column: SortColumn;
  descending: boolean;
  page: number;
  perPage: number;
  after: Position | null;
};

/** How a list is read: first the positions of a page, then its whole rows, in any order. */
export type List<T> = {
  keys(reading: Reading): Promise<Position[]>;
  count(): Promise<number>;
  rows(ids: readonly number[]): Promise<T[]>;
};

/** The list of the rows that a query finds. */
export function listOf<T, Tables, Table extends keyof Tables>(
  found: SelectQueryBuilder<Tables, Table, object>,
  rows: List<T>['rows'],
): List<T> {
  return { keys: (reading) => selectKeys(found, reading), count: () => countRows(found), rows };
}

/**
 * The positions of the rows of one page, plus the first of the next page if there is one. Only the sort column and the id are read, so that
 * a deep page walks an index and not the table.
 */
export async function selectKeys<Tables, T extends keyof Tables>(
  query: SelectQueryBuilder<Tables, T, object>,
  reading: Reading,
): Promise<Position[]> {
  const { descending, after, page, perPage } = reading;
  const column = sql.ref<string | number>(reading.column.name);
  const id = sql.ref<number>('id');
  const direction = descending ? 'desc' : 'asc';
  const keys = query
    .select([column.as('value'), id.as('id')])
    .orderBy(column, direction)
    .orderBy(id, direction)
    .limit(perPage + 1)
    .$castTo<Position>();
  const from = after
    ? keys.where(sql<boolean>`(${column}, ${id}) ${sql.raw(descending ? '<' : '>')} (${after.value}, ${after.id})`)
    : keys.offset(Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER));
  const rows = await from.execute();
  return rows.map(({ value, id }) => ({ value, id }));
}

export async function countRows<Tables, T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const { count } = await query.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>().executeTakeFirstOrThrow();
  return count;
}
