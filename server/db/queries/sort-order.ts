import { sql } from 'kysely';
import type { Db } from '../open.ts';
import type { TableWith } from '../tables.ts';

/** The sort order that puts a new record after all others. */
export async function nextSortOrder(db: Db, table: TableWith<'id' | 'sort_order' | 'row_version'>): Promise<number> {
  const { rows } = await sql<{ last: number }>`SELECT coalesce(max(sort_order), 0) AS last FROM ${sql.table(table)}`.execute(db);
  return Math.min((rows[0]?.last ?? 0) + 1, Number.MAX_SAFE_INTEGER);
}
