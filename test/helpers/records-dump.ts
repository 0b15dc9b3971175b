import { sql } from 'kysely';
import { policies } from '../../server/db/captured-tables.ts';
import type { Store } from '../../server/db/open.ts';

/** Ledgers, which are never rewritten: what counts is the sum for each record. */
const LEDGERS: Readonly<Record<string, { of: string; sum: string }>> = {
  stock_movements: { of: 'variant_id', sum: 'delta' },
  credit_transactions: { of: 'customer_id', sum: 'delta_credits' },
  credit_buckets: { of: 'customer_id', sum: 'remaining_credits' },
};
/** A list that only grows, and what has left the house. */
const GROWING = new Set(['order_edits', 'mails', 'label_refunds']);

/**
 * Every record that undo puts back, as JSON by table, without versions, times of changes and what is computed of others; of ledgers the sums,
 * and who has access to what. `isMeant`: only these rows.
 */
export async function dumpRecords(
  store: Store,
  isMeant: (table: string, row: Record<string, unknown>) => boolean = () => true,
): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const [name, { marks, derived }] of policies) {
    if (GROWING.has(name)) continue;
    const stored = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(store.reader);
    const rows = stored.rows.filter((row) => isMeant(name, row));
    const ledger = LEDGERS[name];
    dump[name] = ledger ? summed(rows, ledger) : rows.map((row) => JSON.stringify(without(row, [...marks, ...derived]))).sort();
  }
  const members = await store.reader.selectFrom('access_group_members').selectAll().where('until', '<>', '').execute();
  const meant = members.filter((row) => isMeant('access_group_members', row));
  return { ...dump, access_group_members: meant.map((row) => JSON.stringify(row)).sort() };
}

function without(row: Record<string, unknown>, marks: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !marks.includes(name)));
}

function summed(rows: readonly Record<string, unknown>[], { of, sum }: { of: string; sum: string }): string[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(String(row[of]), (sums.get(String(row[of])) ?? 0) + Number(row[sum]));
  return [...sums].flatMap(([key, value]) => (value === 0 ? [] : [`${key}: ${value}`])).sort();
}
