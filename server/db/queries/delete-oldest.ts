import { sql } from 'kysely';
import type { Db } from '../open.ts';
import type { Database } from '../tables.ts';

type DeleteOldest = (at: { db: Db }, before: string, limit: number) => Promise<number>;

/**
 * Makes a function that deletes rows whose `time` is before a given one, oldest first, and returns how many. The table needs an index on
 * `time`.
 */
export function deleteOldest(table: keyof Database, time: string, key = 'id'): DeleteOldest {
  const [from, at, id] = [sql.table(table), sql.ref(time), sql.ref(key)];
  return async ({ db }, before, limit) => {
    const { rows } = await sql`DELETE FROM ${from} WHERE ${id} IN (
      SELECT ${id} FROM ${from} WHERE ${at} < ${before} ORDER BY ${at} LIMIT ${limit}) RETURNING ${id}`.execute(db);
    return rows.length;
  };
}
