import { type CompiledQuery, sql } from 'kysely';
import type { Dialect } from '../db/dialect.ts';
import type { Db } from '../db/open.ts';
import { fillSortValues } from '../db/schema/products.ts';
import type { Database, NewRow } from '../db/tables.ts';
import { type TableValues, valuesOf } from './table-values.ts';

/** Makes what products are sorted by of the variants that were written; a load does it once, at its end. */
export async function sortProducts(db: Db): Promise<void> {
  await sql.raw(fillSortValues).execute(db);
}

export type BatchWriter = {
  /** Inserts rows that all have the same columns. */
  insert<T extends keyof Database>(db: Db, table: T, rows: readonly NewRow<T>[]): Promise<void>;
  insertValues(db: Db, rows: TableValues): Promise<void>;
  /** Adds a number to one column of each row; `deltas` has the numbers by the rows' ids. */
  addTo(db: Db, target: { table: keyof Database; column: string }, deltas: ReadonlyMap<number, number>): Promise<void>;
};

/** The most values in one statement: enough to make its own cost small, within the limits of SQLite (32,766) and PostgreSQL (65,535). */
const MAX_VALUES = 2000;

/** Writes many rows in each statement. Its text is kept for its number of rows, because building it again costs more than the insert. */
export function createBatchWriter({ rowsOfJson }: Dialect): BatchWriter {
  const statements = new Map<string, CompiledQuery>();

  async function run(db: Db, key: string, parameters: readonly unknown[], build: () => CompiledQuery): Promise<void> {
    let statement = statements.get(key);
    if (!statement) {
      statement = build();
      statements.set(key, statement);
    }
    await db.executeQuery({ ...statement, parameters });
  }

  async function insertValues(db: Db, { table, columns, values }: TableValues): Promise<void> {
    if (values.length === 0) return;
    const into = sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`;
    if (rowsOfJson) {
      const rows = rowsOfJson(table, jsonOf(columns, values));
      await sql`${into} SELECT ${sql.join(columns.map((name) => sql.ref(name)))} FROM ${rows}`.execute(db);
      return;
    }
    for (const chunk of chunks(values, columns.length, MAX_VALUES)) {
      await run(db, `${table}/${columns.join()}/${chunk.length}`, chunk, () => {
        const row = sql`(${sql.join(columns)})`;
        const rows = sql.join(Array.from({ length: chunk.length / columns.length }, () => row));
        return sql`${into} VALUES ${rows}`.compile(db);
      });
    }
  }

  return {
    insert: (db, table, rows) => insertValues(db, valuesOf(table, rows)),
    insertValues,

    async addTo(db, { table, column }, deltas) {
      const changes = [...deltas].filter(([, delta]) => delta !== 0);
      for (const chunk of chunks(changes.flat(), 2, 1000)) {
        await run(db, `${table}.${column}/${chunk.length}`, chunk, () => {
          const change = sql`(CAST(${0} AS bigint), CAST(${0} AS bigint))`;
          const values = sql.join(Array.from({ length: chunk.length / 2 }, () => change));
          return sql`WITH change (id, delta) AS (VALUES ${values})
            UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + change.delta
            FROM change WHERE ${sql.ref(`${table}.id`)} = change.id`.compile(db);
        });
      }
    },
  };
}

function jsonOf(columns: readonly string[], values: readonly unknown[]): string {
  const rows: Record<string, unknown>[] = [];
  for (let start = 0; start < values.length; start += columns.length) {
    rows.push(Object.fromEntries(columns.map((name, i) => [name, values[start + i]])));
  }
  return JSON.stringify(rows);
}

/** Cuts values into chunks of whole rows. The number of rows is a power of two, so that only a few different statements stay prepared. */
function* chunks<T>(values: readonly T[], width: number, mostValues: number): Generator<readonly T[]> {
  let size = 2 ** Math.floor(Math.log2(Math.max(1, mostValues / width))) * width;
  for (let start = 0; start < values.length; start += size) {
    while (size > values.length - start) size /= 2;
    yield values.slice(start, start + size);
  }
}
