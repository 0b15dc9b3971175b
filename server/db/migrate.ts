import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import type { Store } from './open.ts';
import { resumeOrderUpkeep } from './order-upkeep.ts';
import { makeAllAgain, makeIndexesAgain } from './set-aside.ts';
import { installStaging } from './staged-ids.ts';

const folder = new URL('./migrations/', import.meta.url);
/** In SQLite's words for both engines; or, where they have nothing in common, for each in its own. */
const Statement = z.union([z.string(), z.object({ sqlite: z.array(z.string()), postgres: z.array(z.string()) })]);
type Statement = z.infer<typeof Statement>;
const Migration = z.object({ statements: z.array(Statement) });

/** Makes the table that the others look into. */
const FIRST = '0001-shop';

/** Any number; every server of one database takes the same lock. */
const LOCK_KEY = 7_226_001;

/**
 * Brings the store to the newest schema. Each migration is one transaction under a lock: one that was interrupted
 * left nothing, and of two servers that start together one waits. What a fill has set aside and not made again is made
 * now, unless `leaveAside` says that the fill goes on.
 */
export async function migrate(store: Store, { leaveAside = false } = {}): Promise<string[]> {
  const applied: string[] = [];
  for (const { name, statements } of await readMigrations()) {
    const done = await store.write(async (tx) => {
      if (store.dialect.engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
      await sql.raw('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)').execute(tx);
      const { rows } = await sql`SELECT name FROM migrations WHERE name = ${name}`.execute(tx);
      if (rows.length > 0) return false;
      if (name !== FIRST) await makeAllAgain(tx, store.dialect);
      for (const text of statements.flatMap((one) => textsOf(one, store.dialect))) await sql.raw(text).execute(tx);
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(tx);
      return true;
    });
    if (done) applied.push(name);
  }
  await installStaging(store);
  if (!leaveAside) {
    await makeIndexesAgain(store);
    await resumeOrderUpkeep(store);
  }
  return applied;
}

function textsOf(statement: Statement, dialect: Dialect): string[] {
  return typeof statement === 'string' ? [dialect.ddl(statement)] : statement[dialect.engine];
}

/** Numbered files, forward only, in the order of their names; the name is what the database remembers. */
async function readMigrations(): Promise<{ name: string; statements: Statement[] }[]> {
  const files = readdirSync(folder).sort();
  return Promise.all(
    files.map(async (file) => ({ name: file.replace(/\.ts$/, ''), ...Migration.parse(await import(new URL(file, folder).href)) })),
  );
}
