import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect, Statement } from './dialect.ts';
import { migrations } from './migration-list.ts';
import { type At, type Db, readsOf, type Store } from './open.ts';
import { resumeOrderUpkeep } from './order-upkeep.ts';
import { beginEraIfRestored } from './postgres/change-era.ts';
import { StoreRefusal } from './refusal.ts';
import { installCapture } from './row-capture.ts';
import { makeAllAgain, makeIndexesAgain } from './set-aside.ts';
import { installStaging } from './staged-ids.ts';
import { refuseUnfinishedCopy } from './store-copy/progress.ts';

const Statements = z.array(z.union([z.string(), z.object({ sqlite: z.array(z.string()), postgres: z.array(z.string()) })]));
const Migration = z.object({ statements: Statements });

const NAMES = Object.keys(migrations);

/** Makes the whole schema of today, so a new store has with it what all later migrations bring. */
const BASELINE = '0001-baseline';
/** The last migration of the program before the baseline, which made the same schema. */
const LAST_BEFORE = '0087-starting-versions';

/** An arbitrary number; every server of one database takes the same lock. */
const LOCK_KEY = 7_226_001;

/**
 * Migrates the store to the newest schema. Each migration is one transaction under a lock, so an interrupted one leaves nothing and two
 * servers that start together wait for each other. Then indexes and triggers that a bulk load has set aside are made again, unless
 * `leaveAside` says that the load continues. Throws a `StoreRefusal` if a later program has changed the schema, and if the store is an
 * unfinished copy, unless `copying` says that this is the copy itself.
 */
export async function migrate(store: Store, { leaveAside = false, copying = false } = {}): Promise<string[]> {
  if (!copying) await refuseUnfinishedCopy(readsOf(store));
  const applied: string[] = [];
  const present = await store.write((tx) => lockAndRead({ db: tx, dialect: store.dialect }));
  for (const name of NAMES) {
    if (present.has(name)) continue;
    const { statements } = await readMigration(name);
    const done = await store.write(async (tx) => {
      if ((await lockAndRead({ db: tx, dialect: store.dialect })).has(name)) return false;
      if (name !== BASELINE) await makeAllAgain({ db: tx, dialect: store.dialect });
      for (const text of statements.flatMap((one) => textsOf(one, store.dialect))) await sql.raw(text).execute(tx);
      for (const one of name === BASELINE ? NAMES : [name]) await sql`INSERT INTO migrations (name) VALUES (${one})`.execute(tx);
      return true;
    });
    if (done) applied.push(name);
  }
  await installStaging(store);
  await installCapture(store);
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
  return {
    missing: NAMES.filter((name) => !present.includes(name)),
    unknown: unknownOf(present),
  };
}

const unknownOf = (present: Iterable<string>): string[] =>
  [...present].filter((name) => !NAMES.includes(name) && name > LAST_BEFORE).sort();

/** Waits for other servers' migrations; returns the names of all that are applied. None is ever taken back. */
async function lockAndRead({ db: tx, dialect: { engine } }: At): Promise<ReadonlySet<string>> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
  await sql.raw('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)').execute(tx);
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(tx);
  const present = new Set(rows.map(({ name }) => name));
  const unknown = unknownOf(present);
  // What the columns mean now is not known here, and a write could break rules of the later program.
  if (unknown.length > 0) {
    throw new StoreRefusal(
      `a later version of Backroom has changed the schema of the store (${unknown.join(', ')}): start that version or a later one, or restore the backup from before the upgrade`,
    );
  }
  if (present.size > 0 && !present.has(BASELINE)) await enterBaseline(tx, present);
  return present;
}

/** Stands until the first release: a store of the program before the baseline has its schema, under the names of other migrations. */
async function enterBaseline(tx: Db, present: Set<string>): Promise<void> {
  if (!present.has(LAST_BEFORE)) {
    throw new Error(
      `the schema of the store is too old (its last migration is ${[...present].sort().at(-1)}): open it once with the last version that has the migration ${LAST_BEFORE}, then with this one`,
    );
  }
  await sql`DELETE FROM migrations WHERE name <= ${LAST_BEFORE}`.execute(tx);
  await sql`INSERT INTO migrations (name) VALUES (${BASELINE})`.execute(tx);
  present.add(BASELINE);
}

function textsOf(statement: Statement, { ddl, engine }: Dialect): readonly string[] {
  return typeof statement === 'string' ? [ddl(statement)] : statement[engine];
}

/** Loads one migration; a store that has it already does not pay for that. */
async function readMigration(name: string): Promise<z.infer<typeof Migration>> {
  return Migration.parse(await migrations[name]?.());
}
