import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../open.ts';
import { byKey, statement } from './statement.ts';

/** Statements on a row of any table, by its key: their SQL is compiled once for each table and set of columns. */

/** The columns of a row. */
export type RowValues = Record<string, string | number | null>;

const isValue = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number';

/** Looks at each value once, without a copy: undo reads all columns of each row several times. */
export const RowValues = z.custom<RowValues>(
  (row) => typeof row === 'object' && row !== null && !Array.isArray(row) && Object.values(row).every(isValue),
  'must be the columns of a row',
);

export type Place = { table: string; key: RowValues };

/** The row with this key; `locked`: until the transaction ends. */
export async function findRow(db: Db, { table, key }: Place, { locked = false } = {}): Promise<RowValues | null> {
  const shape = shapeOf(table, key);
  const [row] = await (locked ? lockOf(shape) : selectOf(shape))(db, Object.values(key));
  return row === undefined ? null : RowValues.parse(row);
}

export async function insertRow(db: Db, table: string, row: RowValues): Promise<void> {
  await insertOf(shapeOf(table, row))(db, Object.values(row));
}

/** Sets columns of the row with this key, and adds to others. */
export async function updateRow(db: Db, { table, key }: Place, set: RowValues, add: Record<string, number>): Promise<void> {
  const shape = [table, ...[key, set, add].map((columns) => Object.keys(columns).join(','))].join(' ');
  await updateOf(shape)(
    db,
    [key, set, add].flatMap((columns) => Object.values(columns)),
  );
}

/** Deletes the row with this key, or all with these values. */
export async function deleteRows(db: Db, { table, key }: Place): Promise<void> {
  await deleteOf(shapeOf(table, key))(db, Object.values(key));
}

/** What a statement depends on, as a key for those that were compiled: the table, and the names of the columns. */
function shapeOf(table: string, columns: RowValues): string {
  return `${table} ${Object.keys(columns).join(',')}`;
}

function readShape(shape: string): { table: RawBuilder<unknown>; lists: string[][] } {
  const [table = '', ...lists] = shape.split(' ');
  return { table: sql.table(table), lists: lists.map((list) => (list === '' ? [] : list.split(','))) };
}

/** The values of a statement are in the order of its shape. */
const ofRow = (build: Parameters<typeof statement<unknown[], object, number>>[0]) => statement<unknown[], object, number>(build);

type Value = (place: number) => RawBuilder<unknown>;

function whereKey(names: readonly string[], value: Value): RawBuilder<unknown> {
  return sql.join(
    names.map((name, n) => sql`${sql.ref(name)} = ${value(n)}`),
    sql` AND `,
  );
}

const selecting = (isLocked: boolean) =>
  byKey((shape: string) => {
    const { table, lists } = readShape(shape);
    return ofRow(
      (value, { forUpdate }) =>
        sql<object>`SELECT * FROM ${table} WHERE ${whereKey(lists[0] ?? [], value)} ${isLocked ? forUpdate : sql``}`,
    );
  });
const selectOf = selecting(false);
const lockOf = selecting(true);

const insertOf = byKey((shape: string) => {
  const { table, lists } = readShape(shape);
  const names = lists[0] ?? [];
  return ofRow(
    (value) => sql<object>`
      INSERT INTO ${table} (${sql.join(names.map((name) => sql.ref(name)))}) VALUES (${sql.join(names.map((_, n) => value(n)))})`,
  );
});

const updateOf = byKey((shape: string) => {
  const { table, lists } = readShape(shape);
  const [key = [], set = [], add = []] = lists;
  return ofRow((value) => {
    const parts = [
      ...set.map((name, n) => sql`${sql.ref(name)} = ${value(key.length + n)}`),
      ...add.map((name, n) => sql`${sql.ref(name)} = ${sql.ref(name)} + CAST(${value(key.length + set.length + n)} AS bigint)`),
    ];
    return sql<object>`UPDATE ${table} SET ${sql.join(parts)} WHERE ${whereKey(key, value)}`;
  });
});

const deleteOf = byKey((shape: string) => {
  const { table, lists } = readShape(shape);
  return ofRow((value) => sql<object>`DELETE FROM ${table} WHERE ${whereKey(lists[0] ?? [], value)}`);
});
