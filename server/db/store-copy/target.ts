import { sql } from 'kysely';
import type { Db, Store } from '../open.ts';
import { pauseOrderUpkeep } from '../order-upkeep.ts';
import { StoreRefusal } from '../refusal.ts';
import { setIndexesAside } from '../set-aside.ts';
import { moveProgress, type Progress } from './progress.ts';
import { ownImport, type Table } from './tables.ts';

/** A table with more rows than this gets its indexes after its rows, which is far cheaper. */
const FEW_ROWS = 1000;

/** What an empty database must not have: its tables and views, without those of extensions. */
export async function findTables({ reader, dialect }: Pick<Store, 'reader' | 'dialect'>): Promise<string[]> {
  const query =
    dialect.engine === 'sqlite'
      ? sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name`
      : sql<{ name: string }>`
          SELECT relname AS name FROM pg_class AS c
          WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relnamespace = current_schema()::regnamespace
            AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
          ORDER BY relname`;
  return (await query.execute(reader)).rows.map(({ name }) => name);
}

/**
 * Makes a new store ready for rows: drops what would check, count or number each of them, and deletes the rows that a new store has. What
 * was dropped is kept in the progress.
 */
export async function prepareTarget(store: Store, tables: readonly Table[], before: Progress): Promise<Progress> {
  await pauseOrderUpkeep(store);
  const large = tables.filter(({ name }) => (before.source.counts[name] ?? 0) > FEW_ROWS);
  if (large.length > 0)
    await setIndexesAside(
      store,
      large.map(({ name }) => name),
    );
  return store.write(async (tx) => {
    const parts = await partsToSetAside(tx, store.dialect.engine);
    for (const { drop } of parts) await sql.raw(drop).execute(tx);
    for (const { name } of tables) {
      await sql`DELETE FROM ${sql.table(name)} ${name === 'imports' ? sql`WHERE source <> ${ownImport}` : sql``}`.execute(tx);
    }
    const after: Progress = { ...before, phase: 'rows', aside: parts.map(({ create }) => create) };
    await moveProgress(tx, before, after);
    return after;
  });
}

type Part = { drop: string; create: string };

/**
 * All triggers that are left, and PostgreSQL's foreign keys, which it checks much faster for all rows at once than for one after the other.
 * SQLite's are not checked on the connection that writes the copy. The triggers of staged ids do nothing here.
 */
async function partsToSetAside(tx: Db, engine: Store['dialect']['engine']): Promise<Part[]> {
  if (engine === 'sqlite') {
    const { rows } = await sql<Part>`
      SELECT 'DROP TRIGGER "' || name || '"' AS "drop", sql AS "create" FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`.execute(
      tx,
    );
    return rows;
  }
  const { rows } = await sql<Part>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    UNION ALL
    SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass), pg_get_triggerdef(t.oid)
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgname <> 'stage_id' AND c.relnamespace = current_schema()::regnamespace`.execute(tx);
  return rows;
}

/**
 * Makes constraints and triggers again and sets the counters of ids, behind all rows; `counters` has the last ids that the source gave.
 * Throws a `StoreRefusal` if a row refers to one that does not exist.
 */
export async function restoreTarget(
  store: Store,
  tables: readonly Table[],
  before: Progress,
  counters: ReadonlyMap<string, number>,
): Promise<Progress> {
  const after: Progress = { ...before, phase: 'comparing', aside: [] };
  await store.write(async (tx) => {
    for (const create of before.aside) await makeAgain(tx, create);
    for (const { name, hasCounter } of tables) {
      if (hasCounter) await setCounter(tx, store.dialect.engine, name, counters.get(name) ?? 0);
    }
    await moveProgress(tx, before, after);
  });
  // SQLite's planner is told which index to use; PostgreSQL's needs to know the rows before the first request comes.
  if (store.dialect.engine === 'postgres')
    await store.write((tx) => sql`ANALYZE ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx));
  return after;
}

const FOREIGN_KEY_VIOLATION = '23503';

async function makeAgain(tx: Db, create: string): Promise<void> {
  await sql
    .raw(create)
    .execute(tx)
    .catch((error) => {
      if (!(error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION)) throw error;
      const detail = 'detail' in error ? ` ${String(error.detail)}` : '';
      throw new StoreRefusal(
        `a row of the source refers to one that does not exist: ${error.message}.${detail} Mend the source, empty the target and copy again`,
      );
    });
}

async function setCounter(tx: Db, engine: Store['dialect']['engine'], table: string, given: number): Promise<void> {
  const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM ${sql.table(table)}`.execute(tx);
  const last = Math.max(given, rows[0]?.id ?? 0);
  if (engine === 'postgres') {
    await sql`SELECT setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), ${Math.max(last, 1)}, ${last > 0})`.execute(tx);
    return;
  }
  await sql`DELETE FROM sqlite_sequence WHERE name = ${table}`.execute(tx);
  if (last > 0) await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`.execute(tx);
}
