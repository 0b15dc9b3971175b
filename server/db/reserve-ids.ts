import { sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Db } from './open.ts';
import type { Database } from './tables.ts';

/** Takes `count` ids that nothing else will get, so that rows which refer to one another can be written in batches. */
export async function reserveIds(db: Db, dialect: Dialect, table: keyof Database, count: number): Promise<number[]> {
  if (count === 0) return [];
  if (dialect.engine === 'postgres') {
    const { rows } = await sql<{ id: number }>`
      SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS id FROM generate_series(1, ${count})`.execute(db);
    return rows.map(({ id }) => id);
  }
  const moved = await sql<{ seq: number }>`
    UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = ${table} RETURNING seq`.execute(db);
  const last = moved.rows[0]?.seq ?? count;
  if (!moved.rows[0]) await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${count})`.execute(db);
  return Array.from({ length: count }, (_, i) => last - count + 1 + i);
}
