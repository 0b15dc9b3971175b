import { sql } from 'kysely';
import { statements as shop } from './migrations/0001-shop.ts';
import { statements as tasks } from './migrations/0002-tasks.ts';
import type { Store } from './open.ts';

/** All migrations in order; forward only. The name is what the database remembers. */
const migrations: readonly { name: string; statements: readonly string[] }[] = [
  { name: '0001-shop', statements: shop },
  { name: '0002-tasks', statements: tasks },
];

/** Any number; every server of one database takes the same lock. */
const LOCK_KEY = 7_226_001;

/**
 * Brings the store to the newest schema. Each migration is one transaction under a lock: one that was interrupted
 * left nothing, and of two servers that start together one waits.
 */
export async function migrate(store: Store): Promise<string[]> {
  const applied: string[] = [];
  for (const { name, statements } of migrations) {
    const done = await store.write(async (tx) => {
      if (store.dialect.engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
      await sql.raw('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)').execute(tx);
      const { rows } = await sql`SELECT name FROM migrations WHERE name = ${name}`.execute(tx);
      if (rows.length > 0) return false;
      for (const statement of statements) await sql.raw(store.dialect.ddl(statement)).execute(tx);
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(tx);
      return true;
    });
    if (done) applied.push(name);
  }
  return applied;
}
