import { sql } from 'kysely';
import type { Db, Store } from '../open.ts';

const TABLES = ['orders', 'customers', 'products', 'subscriptions', 'inquiries'] as const;

/**
 * PostgreSQL numbers transactions anew in each cluster. So rows that were restored from a dump may have numbers that are still to come here.
 * They are numbered as changed before all else, and a new era begins: the server refuses the cursors of the old one.
 */
export async function beginEraIfRestored({ dialect, reader, write }: Store): Promise<void> {
  if (dialect.engine === 'sqlite') return;
  const ahead = sql`changed_in >= CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)`;
  const parts = TABLES.map((table) => sql`SELECT 1 AS found FROM ${sql.table(table)} WHERE ${ahead}`);
  const { rows } = await sql`SELECT 1 WHERE EXISTS (${sql.join(parts, sql` UNION ALL `)})`.execute(reader);
  if (rows.length === 0) return;
  await write(async (tx) => {
    await sql`UPDATE change_numbers SET era = substr(md5(CAST(gen_random_uuid() AS text)), 1, 12)`.execute(tx);
    for (const table of TABLES) await sql`UPDATE ${sql.table(table)} SET changed_in = 0 WHERE ${ahead}`.execute(tx);
  });
}

/** The era of a store; no two stores have the same one, except a store and its copies by file. */
export async function readEra(db: Db): Promise<string> {
  return (await db.selectFrom('change_numbers').select('era').executeTakeFirstOrThrow()).era;
}
