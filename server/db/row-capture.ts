import { sql } from 'kysely';
import { policies } from './captured-tables.ts';
import type { At, Db, Store } from './open.ts';
import { findRow, RowValues } from './queries/one-row.ts';
import { statement } from './queries/statement.ts';

/**
 * Notes which rows of the shop a piece of work changes, and how they were before: triggers on the captured tables write them into a table
 * that the transaction empties again. On SQLite they are temporary ones of the writer's connection, so they always fit the present columns;
 * on PostgreSQL each captured table has one, which acts only while its transaction asks for it.
 */

/** One row that was changed; null: it was not there. */
export type RowChange = { table: string; key: RowValues; before: RowValues | null; after: RowValues | null };

type Noted = { seq: number; table: string; op: string; row: string };

/** Runs `work`, and returns what came of it with the rows that it changed, in the order in which they were first changed. */
export async function capturing<T>(at: At, work: () => Promise<T>): Promise<{ done: T; changes: RowChange[] }> {
  await begin(at);
  const done = await work();
  return { done, changes: await changesOf(at, await end(at)) };
}

/** The columns of a table's primary key, from the database. */
export async function keyColumns(at: At, table: string): Promise<readonly string[]> {
  const known = keys.get(table);
  if (known) return known;
  const { rows } =
    at.dialect.engine === 'sqlite'
      ? await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`.execute(at.db)
      : await sql<{ name: string }>`
          SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = CAST(${table} AS regclass) AND i.indisprimary
          ORDER BY array_position(CAST(i.indkey AS smallint[]), a.attnum)`.execute(at.db);
  const names = rows.map(({ name }) => name);
  keys.set(table, names);
  return names;
}

/** The schema is the same in every store that this process opens. */
const keys = new Map<string, readonly string[]>();

/** Folds what the triggers noted into one change for each row. */
async function changesOf(at: At, noted: readonly Noted[]): Promise<RowChange[]> {
  const found = new Map<string, { table: string; key: RowValues; before: RowValues | null; isSettled: boolean }>();
  for (const { table, op, row } of noted) {
    const values = RowValues.parse(JSON.parse(row));
    const key = Object.fromEntries((await keyColumns(at, table)).map((name) => [name, values[name] ?? null]));
    const id = JSON.stringify([table, key]);
    // A row that was updated is there under the key that it has now: a new one, if the update changed its key.
    if (op === 'moved' && found.has(id)) continue;
    const one = found.get(id) ?? { table, key, before: op === 'insert' || op === 'moved' ? null : values, isSettled: false };
    found.set(id, one);
    if (one.isSettled) continue;
    // A trigger of the table may change the row before its insertion is noted.
    if (op === 'insert') one.before = null;
    if (op !== 'update') one.isSettled = true;
  }
  const changes: RowChange[] = [];
  for (const { table, key, before } of found.values()) {
    const after = await findRow(at.db, { table, key });
    if (before !== null || after !== null) changes.push({ table, key, before, after });
  }
  return changes;
}

const isInstalled = statement(() => sql`SELECT 1 FROM temp.sqlite_schema WHERE name = 'capturing'`);
const turn = (isOn: boolean) =>
  statement((_, { engine }) =>
    engine === 'sqlite'
      ? sql`UPDATE temp.capturing SET is_on = ${sql.lit(isOn ? 1 : 0)}`
      : sql`SELECT set_config('backroom.capture', ${sql.lit(isOn ? 'on' : '')}, true)`,
  );
const turnOn = turn(true);
const turnOff = turn(false);
// Rows of other transactions are invisible here; each transaction deletes its own before it commits.
const takeNoted = statement<object, Noted>(
  (_, { engine }) => sql`
    DELETE FROM ${engine === 'sqlite' ? sql`temp.captured_rows` : sql`captured_rows`} RETURNING seq, name AS "table", op, "row"`,
);

/** Makes what `capturing` needs on SQLite, unless it is there; before a savepoint that is undone, so that it stays. */
export async function readyCapture({ db, dialect: { engine } }: At): Promise<void> {
  if (engine === 'sqlite' && (await isInstalled(db, {})).length === 0) await installTemporary(db);
}

async function begin(at: At): Promise<void> {
  await readyCapture(at);
  await turnOn(at.db, {});
}

async function end({ db }: At): Promise<Noted[]> {
  await turnOff(db, {});
  return (await takeNoted(db, {})).sort((a, b) => a.seq - b.seq);
}

/** Makes the triggers of SQLite's writer; a transaction that is undone takes them along. */
async function installTemporary(db: Db): Promise<void> {
  await sql`CREATE TEMP TABLE capturing (is_on INTEGER NOT NULL)`.execute(db);
  await sql`INSERT INTO temp.capturing (is_on) VALUES (0)`.execute(db);
  await sql`CREATE TEMP TABLE captured_rows (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, op TEXT NOT NULL, "row" TEXT NOT NULL)`.execute(
    db,
  );
  for (const table of policies.keys()) {
    const { rows: columns } = await sql<{ name: string }>`SELECT name FROM pragma_table_info(${table})`.execute(db);
    const row = (side: 'NEW' | 'OLD') =>
      sql`json_object(${sql.join(columns.map(({ name }) => sql`${sql.lit(name)}, ${sql.ref(`${side}.${name}`)}`))})`;
    // A change is noted before any other trigger acts, a deletion after the rows that go with it.
    const parts = [
      { op: 'moved', when: sql`AFTER UPDATE`, values: row('NEW') },
      { op: 'insert', when: sql`AFTER INSERT`, values: row('NEW') },
      { op: 'update', when: sql`BEFORE UPDATE`, values: row('OLD') },
      { op: 'delete', when: sql`AFTER DELETE`, values: row('OLD') },
    ];
    for (const { op, when, values } of parts) {
      await sql`
        CREATE TEMP TRIGGER ${sql.ref(`captured_${table}_${op}`)} ${when} ON main.${sql.ref(table)}
        WHEN (SELECT is_on FROM capturing) = 1 BEGIN
          INSERT INTO captured_rows (name, op, "row") VALUES (${sql.lit(table)}, ${sql.lit(op)}, ${values});
        END`.execute(db);
    }
  }
}

/** Gives each captured table of a store on PostgreSQL its trigger. */
export async function installCapture(store: Store): Promise<void> {
  if (store.dialect.engine === 'sqlite') return;
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgname = 'capture_row' AND c.relnamespace = current_schema()::regnamespace`.execute(store.reader);
  const lacking = [...policies.keys()].filter((table) => !rows.some(({ name }) => name === table));
  if (lacking.length === 0) return;
  await store.write(async (tx) => {
    for (const table of lacking) {
      await sql`CREATE OR REPLACE TRIGGER capture_row AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)} FOR EACH ROW
        WHEN (current_setting('backroom.capture', true) = 'on') EXECUTE FUNCTION capture_row()`.execute(tx);
    }
  });
}
