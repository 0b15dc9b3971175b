import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import type { Engine } from '../../server/db/dialect.ts';
import type { Db, Store } from '../../server/db/open.ts';

/** Stores as released schemas made them, with the rows of a shop. No column or table was ever dropped, so each release has a part of today's. */

export type Rows = Record<string, Record<string, unknown>[]>;

const folder = new URL('../../server/db/migrations/', import.meta.url);

/** The names of all migrations, in the order in which they were released. */
export const releases: readonly string[] = readdirSync(folder)
  .sort()
  .map((file) => file.replace(/\.ts$/, ''));

/** What triggers and migrations make of other rows, and each store for itself. */
const DERIVED =
  /^(change_numbers|customer_sales|imports|migrations|order_buyers.*|order_counts|order_part_counts|order_quarters|product_sales|sqlite_.*)$/;

/** Every row that somebody has stored, by table. */
export async function storedRows(store: Store): Promise<Rows> {
  const rows: Rows = {};
  for (const name of (await columnsOf(store.reader, store.dialect.engine)).keys()) {
    if (!DERIVED.test(name)) rows[name] = (await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(store.reader)).rows;
  }
  return rows;
}

/** Makes the schema as it was with this migration as the newest, of none or of an older one. */
export async function applyUpTo(store: Store, last: string): Promise<void> {
  await store.write(async (db) => {
    await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)`.execute(db);
    const { rows } = await sql`SELECT 1 FROM migrations`.execute(db);
    for (const name of releases.slice(rows.length, releases.indexOf(last) + 1)) {
      const { statements }: { statements: readonly (string | Record<string, string[]>)[] } = await import(
        new URL(`${name}.ts`, folder).href
      );
      const texts = statements.flatMap((one) => (typeof one === 'string' ? [store.dialect.ddl(one)] : (one[store.dialect.engine] ?? [])));
      for (const text of texts) await sql.raw(text).execute(db);
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(db);
    }
  });
}

/**
 * Inserts the rows with those tables and columns that the schema has; returns what was inserted. A row that refers to one which is not
 * there yet is tried again later.
 */
export async function insertRows(store: Store, rows: Rows): Promise<Rows> {
  const columns = await columnsOf(store.reader, store.dialect.engine);
  const inserted: Rows = {};
  for (const [table, all] of Object.entries(rows)) {
    const known = columns.get(table);
    if (known) inserted[table] = all.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name))));
  }
  await store.write(async (db) => {
    // Migrations have made the rows of these.
    for (const table of ['storage_use', 'themes']) if (columns.has(table)) await sql`DELETE FROM ${sql.table(table)}`.execute(db);
    let left = Object.entries(inserted).flatMap(([table, all]) => all.map((row) => ({ table, row })));
    while (left.length > 0) {
      const missed: typeof left = [];
      let why: unknown;
      for (const one of left) {
        const error = await tryInsert(db, one);
        if (error === null) continue;
        why = error;
        missed.push(one);
      }
      if (missed.length === left.length)
        throw new Error(`${missed.length} rows cannot be inserted, such as one of ${missed[0]?.table}`, { cause: why });
      left = missed;
    }
  });
  return inserted;
}

async function tryInsert(db: Db, { table, row }: { table: string; row: Record<string, unknown> }): Promise<unknown> {
  await sql`SAVEPOINT one`.execute(db);
  try {
    const names = Object.keys(row).map((name) => sql.ref(name));
    await sql`INSERT INTO ${sql.table(table)} (${sql.join(names)}) VALUES (${sql.join(Object.values(row))})`.execute(db);
    await sql`RELEASE SAVEPOINT one`.execute(db);
    return null;
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT one`.execute(db);
    await sql`RELEASE SAVEPOINT one`.execute(db);
    return error;
  }
}

/** The columns of each table. */
export async function columnsOf(db: Db, engine: Engine): Promise<Map<string, Set<string>>> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ table: string; name: string }>`SELECT t.name AS "table", c.name FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1`
    : sql<{ table: string; name: string }>`SELECT table_name AS "table", column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() ORDER BY 1`
  ).execute(db);
  const tables = new Map<string, Set<string>>();
  for (const { table, name } of rows) tables.set(table, (tables.get(table) ?? new Set()).add(name));
  return tables;
}
