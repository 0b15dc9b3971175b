import { sql } from 'kysely';
import type { Db } from '../open.ts';
import type { Database } from '../tables.ts';

/** How many rows of a table have each of these values in a column; values that no row has are missing. */
export async function countBy<T extends keyof Database>(
  db: Db,
  table: T,
  column: keyof Database[T] & string,
  values: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ value: number; n: number }>`
    SELECT ${sql.ref(column)} AS value, count(*) AS n FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} IN (${sql.join(values)}) GROUP BY ${sql.ref(column)}`.execute(db);
  return new Map(rows.map(({ value, n }) => [value, n]));
}
