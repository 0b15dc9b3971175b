import { sql } from 'kysely';
import type { Db } from '../open.ts';
import type { Database, TableWith } from '../tables.ts';
import { statement } from './statement.ts';

/** Makes a function that tells whether a row other than `exceptId` has the value in a column with a unique index. */
export function takenIn<T extends TableWith<'id'>>(
  table: T,
  column: keyof Database[T] & string,
): (db: Db, value: string, exceptId: number) => Promise<boolean> {
  const select = statement<{ value: string; exceptId: number }>(
    (slot) => sql`SELECT id FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${slot('value')} AND id <> ${slot('exceptId')}`,
  );
  return async (db, value, exceptId) => (await select(db, { value, exceptId })).length > 0;
}
