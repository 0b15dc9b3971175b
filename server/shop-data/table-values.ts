import type { Database, NewRow } from '../db/tables.ts';

/** Rows of one table as one flat list of values, which is the cheapest form to send from one thread to another. */
export type TableValues = { table: keyof Database; columns: string[]; values: unknown[] };

export function valuesOf<T extends keyof Database>(table: T, rows: readonly NewRow<T>[]): TableValues {
  const columns = Object.keys(rows[0] ?? {});
  const values: unknown[] = [];
  for (const row of rows) for (const value of Object.values<unknown>(row)) values.push(value);
  if (values.length !== rows.length * columns.length) throw new Error(`all rows of ${table} must have the same columns`);
  return { table, columns, values };
}
