import { type RawBuilder, sql } from 'kysely';
import type { At } from '../open.ts';
import { type Column, ownImport, type Table } from './tables.ts';

/** Reads whole rows of any table, in pages that follow its primary key. */

export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;
/** The values of the key's columns. */
export type Key = readonly (string | number)[];

/** A page ends with the row that exceeds one of these. */
const PAGE_ROWS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

export function keyOf(table: Table, row: Row): Key {
  return table.key.map((name) => {
    const value = row[name];
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new Error(`the column ${name} of the key of ${table.name} holds neither a text nor a number`);
  });
}

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

/** A row's key for people, such as `id 5`. */
export function keyText({ key }: Table, values: Key): string {
  return key.map((name, i) => `${name} ${typeof values[i] === 'string' ? JSON.stringify(values[i]) : String(values[i])}`).join(', ');
}
