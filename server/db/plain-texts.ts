import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { foldEmail } from '../values/stored-emails.ts';
import { digitsOf, sortKey, subscriptionText } from '../values/texts.ts';
import type { At, Db, Store } from './open.ts';
import { clearProgress, readProgress, writeProgress } from './progress.ts';

/**
 * Brings the columns that searches look at into their present form (migration 0080), in portions while the shop runs. Each portion is one
 * transaction with the progress, so work that was killed goes on; rows that are written meanwhile have the present form already. Until the
 * end, a search finds a row in its older form by what is typed with its marks (`soughtForms`), as it did before, and `q` finds a phone
 * number or a subscription as soon as its row was written.
 */

const SOURCE = 'plain-texts';
const tables = ['subscriptions', 'customers', 'orders'] as const;
const Progress = z.object({ at: z.enum(tables), after: z.number() });

type Texts = Readonly<Record<string, string | null>>;

/** For each table the columns that are read, and what is made of them. */
const made: Readonly<Record<(typeof tables)[number], { of: readonly string[]; columns(row: Texts): Texts }>> = {
  subscriptions: {
    of: ['customer_name', 'customer_email', 'product_name', 'public_id'],
    columns: ({ customer_name, customer_email, product_name, public_id }) => ({
      search_folded: subscriptionText([customer_name, customer_email, product_name, public_id]),
    }),
  },
  customers: {
    of: ['name', 'email', 'phone'],
    columns: ({ name, email, phone }) => ({
      name_folded: sortKey(name ?? ''),
      email_folded: foldEmail(email ?? ''),
      phone_digits: digitsOf(phone ?? null),
    }),
  },
  orders: {
    of: ['customer_name', 'customer_email', 'customer_phone'],
    columns: ({ customer_name, customer_email, customer_phone }) => ({
      customer_name_folded: sortKey(customer_name ?? ''),
      customer_email_folded: foldEmail(customer_email ?? ''),
      phone_digits: digitsOf(customer_phone ?? null),
    }),
  },
};

/** Begins the work, if there is a row that may need it. */
export async function beginPlainTexts(db: Db): Promise<void> {
  const rows = tables.map((table) => sql`EXISTS (SELECT 1 FROM ${sql.table(table)})`);
  const { rows: found } = await sql`SELECT 1 WHERE ${sql.join(rows, sql` OR `)}`.execute(db);
  if (found.length > 0) await writeProgress(db, SOURCE, { at: tables[0], after: 0 });
}

/** Does the rest of the work, with a pause after each portion that leaves others as much time as the portion took. */
export async function writePlainTexts(store: Store, stopping?: AbortSignal): Promise<void> {
  // Nearly always there is nothing to do, and no transaction that writes is needed to know it.
  if ((await readProgress(store.reader, SOURCE)) === null) return;
  for (;;) {
    const began = performance.now();
    if (!(await writePortion(store)) || stopping?.aborted) return;
    await delay(performance.now() - began, undefined, { ref: false });
  }
}

const PORTION = 1000;

/** Writes the next portion; returns false if nothing is left. */
export function writePortion({ write, dialect }: Pick<Store, 'write' | 'dialect'>, most = PORTION): Promise<boolean> {
  return write(
    async (db) => {
      const state = await readProgress(db, SOURCE, dialect);
      if (state === null) return false;
      const { at: table, after } = Progress.parse(state);
      const last = await writeTexts({ db, dialect }, table, { after, most });
      const next = tables[tables.indexOf(table) + 1];
      if (last !== null) await writeProgress(db, SOURCE, { at: table, after: last });
      else if (next !== undefined) await writeProgress(db, SOURCE, { at: next, after: 0 });
      else await clearProgress(db, SOURCE);
      return true;
    },
    { patient: true },
  );
}

/** Writes the rows after an id; returns the last id, null if there is none. */
async function writeTexts(
  at: At,
  table: (typeof tables)[number],
  { after, most }: { after: number; most: number },
): Promise<number | null> {
  const { of, columns } = made[table];
  const names = Object.keys(columns({}));
  const { rows } = await sql<Texts & { id: number }>`
    SELECT id, ${sql.join([...of, ...names].map((name) => sql.ref(name)))} FROM ${sql.table(table)} WHERE id > ${after}
    ORDER BY id LIMIT ${most} ${at.dialect.forUpdate}`.execute(at.db);
  const changed = rows.flatMap((row) => {
    const texts = columns(row);
    return names.some((name) => texts[name] !== row[name]) ? [[row.id, ...names.map((name) => texts[name] ?? null)]] : [];
  });
  await updateTexts(at, table, names, changed);
  return rows.at(-1)?.id ?? null;
}

/** Writes columns of rows, whose ids come first. Neither versions nor times of the rows change: nothing that is shown does. */
export async function updateTexts(
  { db, dialect }: At,
  table: string,
  columns: readonly string[],
  rows: readonly (string | number | null)[][],
): Promise<void> {
  const types = Object.fromEntries([['row_id', 'integer' as const], ...columns.map((name) => [`new_${name}`, 'text' as const] as const)]);
  const sets = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`parts.new_${name}`)}`);
  for (let from = 0; from < rows.length; from += PORTION) {
    const json = JSON.stringify(rows.slice(from, from + PORTION));
    await sql`UPDATE ${sql.table(table)} SET ${sql.join(sets)} FROM ${dialect.rowsOf(sql`${json}`, types)}
      WHERE id = parts.row_id`.execute(db);
  }
}
