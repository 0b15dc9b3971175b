import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { At, Db } from '../open.ts';
import { CopyRefusal } from './refusal.ts';
import { CHANGED_IN, type Column, ownImport, type Table } from './tables.ts';

/** Reads and writes whole rows of any table, in pages that follow its primary key. */

export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;
/** The values of the key's columns. */
export type Key = readonly Value[];

/** A page ends with the row that exceeds one of these. */
const PAGE_ROWS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** The most values in one statement of SQLite, which allows 32,766. */
const MAX_VALUES = 2000;

export const keyOf = ({ key }: Table, row: Row): Key => key.map((name) => row[name] ?? null);

/**
 * The rows after a key, or the first ones; none where there are no more. At least one row, and not many more than `PAGE_BYTES`, so that
 * wide rows need no more memory than narrow ones.
 */
export async function readPage(at: At, table: Table, after: Key | null): Promise<Row[]> {
  const from = sql`FROM ${sql.table(table.name)} WHERE ${after ? isAfter(table, after) : sql`true`}`;
  const order = sql`ORDER BY ${names(table.key)}`;
  if (table.sums) {
    const sums = table.sums.map((name) => sql`CAST(sum(${sql.ref(name)}) AS bigint) AS ${sql.ref(name)}`);
    const isAny = sql.join(
      table.sums.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
      sql` OR `,
    );
    const query = sql<Row>`SELECT ${names(table.key)}, ${sql.join(sums)} ${from}
      GROUP BY ${names(table.key)} HAVING ${isAny} ${order} LIMIT ${PAGE_ROWS}`;
    return (await query.execute(at.db)).rows;
  }
  const columns = names(table.columns.map(({ name }) => name));
  const size = sql.join(table.columns.map(sizeOf), sql` + `);
  const isShop = table.name === 'imports' ? sql`AND source <> ${ownImport}` : sql``;
  const query = sql<Row>`SELECT ${columns} FROM (
      SELECT *, sum(page_size) OVER (ORDER BY ${names(table.key)} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS page_before FROM (
        SELECT ${columns}, ${size} AS page_size ${from} ${isShop} ${order} LIMIT ${PAGE_ROWS}
      ) AS first_rows
    ) AS page WHERE page_before IS NULL OR page_before < ${PAGE_BYTES} ${order}`;
  return (await query.execute(at.db)).rows;
}

const names = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((name) => sql.ref(name)));

const sizeOf = ({ name, type }: Column): RawBuilder<unknown> =>
  type === 'integer' ? sql.lit(8) : sql`coalesce(octet_length(${sql.ref(name)}), 0)`;

function isAfter({ key }: Table, after: Key): RawBuilder<unknown> {
  return sql`(${names(key)}) > (${sql.join(after.map((value) => sql`${value}`))})`;
}

/** How many rows of a table a copy of the store has. */
export async function countRows({ db }: At, table: Table): Promise<number> {
  const isShop = table.name === 'imports' ? sql`WHERE source <> ${ownImport}` : sql``;
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table.name)} ${isShop}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Writes rows that were read from a store of the other engine. Throws a `CopyRefusal` if this engine cannot hold a value of them. */
export type RowWriter = (db: Db, table: Table, rows: readonly Row[]) => Promise<void>;

export function createRowWriter({ engine }: Pick<Dialect, 'engine'>): RowWriter {
  return engine === 'postgres' ? writeToPostgres : createSqliteWriter();
}

/** No transaction of this PostgreSQL has made these rows, so they get the number before all changes, which is the default. */
async function writeToPostgres(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  const bytes = table.columns.filter(({ type }) => type === 'bytes').map(({ name }) => name);
  const columns = names(table.columns.map(({ name }) => name).filter((name) => name !== CHANGED_IN));
  const json = JSON.stringify(bytes.length === 0 ? rows : rows.map((row) => ({ ...row, ...hexOf(row, bytes) })));
  // An escaped backslash before "u0000" looks the same; the rows then turn out to have no such character.
  if (json.includes('\\u0000')) refuseZeros(table, rows);
  await sql`INSERT INTO ${sql.table(table.name)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table.name)}, CAST(${json} AS json))`.execute(db);
}

/** PostgreSQL's text for bytes. */
function hexOf(row: Row, columns: readonly string[]): Record<string, string | null> {
  const hex = (value: Value | undefined) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : null);
  return Object.fromEntries(columns.map((name) => [name, hex(row[name])]));
}

function refuseZeros(table: Table, rows: readonly Row[]): void {
  for (const row of rows) {
    const column = table.columns.find(({ name }) => String(row[name]).includes('\0'));
    if (!column) continue;
    throw new CopyRefusal(
      `the ${column.name} of ${table.name} ${keyText(table, keyOf(table, row))} has the character U+0000, which PostgreSQL cannot hold: change it first`,
    );
  }
}

/**
 * SQLite seeks by the number of a change alone, so no two rows may have the same one. Ids are below all numbers that are still to come, as
 * for the rows that were there when the numbers began (0054-changes.ts).
 */
function createSqliteWriter(): RowWriter {
  const statements = new Map<string, CompiledQuery>();
  return async (db, { name: table, columns }, rows) => {
    const all = columns.map(({ name }) => name);
    const sources = all.map((name) => (name === CHANGED_IN ? 'id' : name));
    let size = 2 ** Math.floor(Math.log2(Math.max(1, MAX_VALUES / all.length)));
    for (let start = 0; start < rows.length; start += size) {
      // Powers of two, so that only a few different statements stay prepared.
      while (size > rows.length - start) size /= 2;
      const chunk = rows.slice(start, start + size);
      const parameters = chunk.flatMap((row) => sources.map((name) => row[name]));
      const key = `${table}/${size}`;
      let statement = statements.get(key);
      if (!statement) {
        const one = sql`(${sql.join(all)})`;
        statement = sql`INSERT INTO ${sql.table(table)} (${names(all)}) VALUES ${sql.join(chunk.map(() => one))}`.compile(db);
        statements.set(key, statement);
      }
      await db.executeQuery({ ...statement, parameters });
    }
  };
}

/** A row's key for people, such as `id 5`. */
export function keyText({ key }: Table, values: Key): string {
  return key.map((name, i) => `${name} ${typeof values[i] === 'string' ? JSON.stringify(values[i]) : String(values[i])}`).join(', ');
}
