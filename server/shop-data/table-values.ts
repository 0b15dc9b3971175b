import type { Database, NewRow } from '../db/tables.ts';

/** Rows of one table, value after value: what crosses from thread to thread at the least cost. */
export type TableValues = { table: keyof Database; columns: string[]; values: unknown[] };

export function valuesOf<T extends keyof Database>(table: T, rows: readonly NewRow<T>[]): TableValues {
  const columns = Object.keys(rows[0] ?? {});
  const values: unknown[] = [];
  for (const row of rows) for (const value of Object.values<unknown>(row)) values.push(value);
  if (values.length !== rows.length * columns.length) throw new Error(`rows of ${table} differ in their columns`);
  return { table, columns, values };
}
