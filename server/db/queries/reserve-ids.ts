import { sql } from 'kysely';
import type { At, Db } from '../open.ts';
import type { Database } from '../tables.ts';

/** Reserves `count` ids that no other insert will get, so that rows that refer to each other can be written in batches. */
export async function reserveIds({ db, dialect }: At, table: keyof Database, count: number): Promise<number[]> {
  if (count === 0) return [];
  if (dialect.engine === 'postgres') {
    const { rows } = await sql<{ id: number }>`
      SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS id FROM generate_series(1, ${count})`.execute(db);
    return rows.map(({ id }) => id);
  }
  const first = await moveSequence(db, table, count);
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Reserves `count` consecutive ids and returns the first. */
export async function reserveIdRange({ db, dialect }: At, table: keyof Database, count: number): Promise<number> {
  if (dialect.engine === 'sqlite') return moveSequence(db, table, count);
  // The lock keeps inserts from taking a number between the two calls.
  await sql`LOCK TABLE ${sql.table(table)} IN EXCLUSIVE MODE`.execute(db);
  const { rows } = await sql<{ last: number }>`
    SELECT setval(sequence, nextval(sequence) + ${Math.max(0, count - 1)}) AS last
    FROM (SELECT pg_get_serial_sequence(${table}, 'id')::regclass AS sequence) AS s`.execute(db);
  return (rows[0]?.last ?? count) - Math.max(0, count - 1);
}

async function moveSequence(db: Db, table: keyof Database, count: number): Promise<number> {
  const moved = await sql<{ seq: number }>`
    UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = ${table} RETURNING seq`.execute(db);
  const last = moved.rows[0]?.seq ?? count;
  if (!moved.rows[0]) await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${count})`.execute(db);
  return last - count + 1;
}
