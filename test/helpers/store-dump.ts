import { sql } from 'kysely';
import type { Store } from '../../server/db/open.ts';

/** What a store has, as texts that can be compared with those of another store. */
export type StoreDump = {
  /** Every row of each table, without numbers of changes; of tables with sums, the sums by key that are not 0. */
  rows: Record<string, string[]>;
  /** The last id that each table's counter gave. */
  counters: Record<string, number>;
};

/** Tables that are not the shop's: of one engine alone, or the store's own. */
const OWN = ['migrations', 'change_numbers', 'captured_rows', 'followed_ids', 'order_buyers', 'crash_signs'];
const SUMS: Record<string, readonly string[]> = {
  order_counts: ['n'],
  order_part_counts: ['n'],
  order_quarters: ['orders', 'revenue'],
  customer_sales: ['orders', 'sales', 'spent'],
  product_sales: ['quantity', 'revenue'],
};

export async function dumpStore(store: Store): Promise<StoreDump> {
  const { reader, dialect } = store;
  const { rows: tables } = await (dialect.engine === 'sqlite'
    ? sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%trigrams%'`
    : sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`
  ).execute(reader);
  const dump: StoreDump = { rows: {}, counters: {} };
  for (const { name } of tables) {
    if (OWN.includes(name)) continue;
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(reader);
    const sums = SUMS[name];
    dump.rows[name] = sums ? sumsOf(rows, sums) : rows.map(({ changed_in: _, ...row }) => textOf(row)).sort();
  }
  const { rows: counters } = await (dialect.engine === 'sqlite'
    ? sql<{ name: string; last: number }>`SELECT name, seq AS last FROM sqlite_sequence WHERE seq > 0`
    : sql<{ name: string; last: number }>`
        SELECT replace(sequencename, '_id_seq', '') AS name, last_value AS last FROM pg_sequences
        WHERE schemaname = current_schema() AND last_value IS NOT NULL`
  ).execute(reader);
  for (const { name, last } of counters) dump.counters[name] = last;
  return dump;
}

const textOf = (row: Record<string, unknown>): string => JSON.stringify(row, Object.keys(row).sort().concat('type', 'data'));

function sumsOf(rows: readonly Record<string, unknown>[], sums: readonly string[]): string[] {
  const totals = new Map<string, number[]>();
  for (const { merged: _, ...row } of rows) {
    const key = textOf(Object.fromEntries(Object.entries(row).filter(([name]) => !sums.includes(name))));
    const before = totals.get(key) ?? [];
    totals.set(
      key,
      sums.map((name, i) => (before[i] ?? 0) + Number(row[name])),
    );
  }
  return [...totals].flatMap(([key, values]) => (values.some((value) => value !== 0) ? [`${key} ${values.join()}`] : [])).sort();
}
