import { type RawBuilder, sql } from 'kysely';
import type { At } from '../open.ts';
import { ownImport, type Table } from './tables.ts';

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

/** Gives the rows after a key, or the first ones; none where there are no more. */
export type Pages = (after: Key | null) => Promise<Row[]>;

/**
 * Opens a table for reading in pages, of which each has at least one row. Pages of a table with wide rows are cut by their bytes, so that
 * they need no more memory than others; to measure each row makes a page several times as expensive, so it is done only there.
 */
export async function openPages(at: At, table: Table): Promise<Pages> {
  const isWide = !table.sums && (await widestRow(at, table)) * PAGE_ROWS > 4 * PAGE_BYTES;
  return async (after) => {
    const query = sql<Row>`${(table.sums ? sumsAfter : isWide ? widePage : page)(table, after)}`;
    return (await query.execute(at.db)).rows;
  };
}

function page(table: Table, after: Key | null): RawBuilder<unknown> {
  return sql`SELECT ${namesOf(table)} ${rowsAfter(table, after)} ORDER BY ${names(table.key)} LIMIT ${PAGE_ROWS}`;
}

function widePage(table: Table, after: Key | null): RawBuilder<unknown> {
  const order = sql`ORDER BY ${names(table.key)}`;
  return sql`SELECT ${namesOf(table)} FROM (
      SELECT *, sum(page_size) OVER (${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS page_before FROM (
        SELECT ${namesOf(table)}, ${sizeOf(table)} AS page_size ${rowsAfter(table, after)} ${order} LIMIT ${PAGE_ROWS}
      ) AS first_rows
    ) AS page WHERE page_before IS NULL OR page_before < ${PAGE_BYTES} ${order}`;
}

function sumsAfter(table: Table, after: Key | null): RawBuilder<unknown> {
  const [key, sums] = [names(table.key), table.sums ?? []];
  const totals = sql.join(sums.map((name) => sql`CAST(sum(${sql.ref(name)}) AS bigint) AS ${sql.ref(name)}`));
  const isAny = sql.join(
    sums.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
    sql` OR `,
  );
  return sql`SELECT ${key}, ${totals} ${rowsAfter(table, after)} GROUP BY ${key} HAVING ${isAny} ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
}

/** From FROM to the end of the condition. */
function rowsAfter({ name, key }: Table, after: Key | null): RawBuilder<unknown> {
  const isAfter = after ? sql`(${names(key)}) > (${sql.join(after.map((value) => sql`${value}`))})` : sql`true`;
  return sql`FROM ${sql.table(name)} WHERE ${isAfter} ${name === 'imports' ? sql`AND source <> ${ownImport}` : sql``}`;
}

async function widestRow({ db }: At, table: Table): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`SELECT max(${sizeOf(table)}) AS bytes FROM ${sql.table(table.name)}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

const names = (columns: readonly string[]): RawBuilder<unknown> => sql.join(columns.map((name) => sql.ref(name)));

const namesOf = ({ columns }: Table): RawBuilder<unknown> => names(columns.map(({ name }) => name));

/** The bytes of a row's values. */
function sizeOf({ columns }: Table): RawBuilder<number> {
  const sizes = columns.map(({ name, type }) => (type === 'integer' ? sql.lit(8) : sql`coalesce(octet_length(${sql.ref(name)}), 0)`));
  return sql<number>`(${sql.join(sizes, sql` + `)})`;
}

/** How many rows of a table a copy of the store has. */
export async function countRows({ db }: At, table: Table): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n ${rowsAfter(table, null)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** A row's key for people, such as `id 5`. */
export function keyText({ key }: Table, values: Key): string {
  return key.map((name, i) => `${name} ${typeof values[i] === 'string' ? JSON.stringify(values[i]) : String(values[i])}`).join(', ');
}
