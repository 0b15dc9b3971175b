import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import type { At, Db, Store } from './open.ts';
import { resumeOrderUpkeep } from './order-upkeep.ts';
import { beginEraIfRestored } from './postgres/change-era.ts';
import { makeAllAgain, makeIndexesAgain } from './set-aside.ts';
import { installStaging } from './staged-ids.ts';
import { refuseUnfinishedCopy } from './store-copy/progress.ts';

const folder = new URL('./migrations/', import.meta.url);
/** A statement in SQLite's SQL for both engines, or separate statements for each engine if they have nothing in common. */
const Statement = z.union([z.string(), z.object({ sqlite: z.array(z.string()), postgres: z.array(z.string()) })]);
type Statement = z.infer<typeof Statement>;
/** `afterwards` writes what no SQL can, in the same transaction: few rows, because nobody is served meanwhile. */
const Migration = z.object({
  statements: z.array(Statement),
  afterwards: z.custom<(at: At) => Promise<void>>((value) => typeof value === 'function').optional(),
});

/** The first migration: it creates the table `imports`, in which the later ones look for indexes that were set aside. */
const FIRST = '0001-shop';

/** An arbitrary number; every server of one database takes the same lock. */
const LOCK_KEY = 7_226_001;

/**
 * Migrates the store to the newest schema. Each migration is one transaction under a lock, so an interrupted one leaves nothing and two
 * servers that start together wait for each other. Then indexes and triggers that a bulk load has set aside are made again, unless
 * `leaveAside` says that the load continues. Throws a `CopyRefusal` if the store is an unfinished copy, unless `copying` says that this is
 * the copy itself.
 */
export async function migrate(store: Store, { leaveAside = false, copying = false } = {}): Promise<string[]> {
  if (!copying) await refuseUnfinishedCopy({ db: store.reader, dialect: store.dialect });
  const applied: string[] = [];
  const present = await store.write((tx) => lockAndRead(tx, store.dialect));
  for (const name of migrationNames()) {
    if (present.has(name)) continue;
    const { statements, afterwards } = await readMigration(name);
    const done = await store.write(async (tx) => {
      if ((await lockAndRead(tx, store.dialect)).has(name)) return false;
      if (name !== FIRST) await makeAllAgain(tx, store.dialect);
      for (const text of statements.flatMap((one) => textsOf(one, store.dialect))) await sql.raw(text).execute(tx);
      await afterwards?.({ db: tx, dialect: store.dialect });
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(tx);
      return true;
    });
    if (done) applied.push(name);
  }
  await installStaging(store);
  await beginEraIfRestored(store);
  if (!leaveAside) {
    await makeIndexesAgain(store);
    await resumeOrderUpkeep(store);
  }
  return applied;
}

/** How the schema of a store differs from that of this program. */
export type SchemaGap = {
  /** The migrations that the store does not have yet. */
  missing: string[];
  /** Those that it has and that are unknown here: a newer program has applied them. */
  unknown: string[];
};

/** Compares the store's schema with the newest one; null if the database is not a store: no migration was ever applied to it. */
export async function schemaGap({ reader, dialect }: Pick<Store, 'reader' | 'dialect'>): Promise<SchemaGap | null> {
  const tables =
    dialect.engine === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`
      : sql`SELECT 1 WHERE to_regclass('migrations') IS NOT NULL`;
  if ((await tables.execute(reader)).rows.length === 0) return null;
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(reader);
  const present = rows.map(({ name }) => name);
  const known = migrationNames();
  return { missing: known.filter((name) => !present.includes(name)), unknown: present.filter((name) => !known.includes(name)) };
}

/** Waits for other servers' migrations; returns the names of all that are applied. None is ever taken back. */
async function lockAndRead(tx: Db, { engine }: Dialect): Promise<ReadonlySet<string>> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
  await sql.raw('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)').execute(tx);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}

function textsOf(statement: Statement, dialect: Dialect): string[] {
  return typeof statement === 'string' ? [dialect.ddl(statement)] : statement[dialect.engine];
}

/** The names of the migrations: numbered files, applied in the order of their names. The database remembers the names. */
function migrationNames(): string[] {
  return readdirSync(folder)
    .sort()
    .map((file) => file.replace(/\.ts$/, ''));
}

/** Loads one migration; a store that has it already does not pay for that. */
async function readMigration(name: string): Promise<z.infer<typeof Migration>> {
  return Migration.parse(await import(`./migrations/${name}.ts`));
}
