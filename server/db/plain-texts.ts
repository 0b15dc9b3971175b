import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { foldings, type Texts } from './folded-columns.ts';
import type { At, Db, Store } from './open.ts';
import { readProgress, writeProgress } from './progress.ts';

/**
 * Brings the columns that searches look at into their present form, in portions while the shop runs. Each portion is one transaction with
 * the progress, so work that was killed goes on; rows that are written meanwhile have the present form already. Until the end, a search
 * finds a row in its older form by what is typed with its marks (`soughtForms`), and `q` finds a phone number or a subscription as soon as
 * its row was written.
 */

/** The version of `foldings`. Raise it when their results change: each store then rewrites its columns when it is opened next. */
const FOLDING = 1;

const SOURCE = 'plain-texts';
const tables = Object.keys(foldings);
const Progress = z.object({ version: z.number().default(1), at: z.string().nullable(), after: z.number() });

/** The table in which the work is, and behind which id; null: all rows have the present form. */
async function readPlace(db: Db, dialect?: Dialect): Promise<{ at: string; after: number } | null> {
  const { version, at, after } = Progress.parse((await readProgress(db, SOURCE, dialect)) ?? { at: null, after: 0 });
  if (version < FOLDING) return { at: tables[0] ?? '', after: 0 };
  return at === null ? null : { at, after };
}

/** Up to which id the rows of a table have the present form. */
export async function foldedUpTo(db: Db, table: string): Promise<number> {
  const place = await readPlace(db);
  const [n, present] = [tables.indexOf(table), tables.indexOf(place?.at ?? '')];
  if (place === null || n < present) return Number.MAX_SAFE_INTEGER;
  return n === present ? place.after : 0;
}

/** Does the rest of the work, with a pause after each portion that leaves others as much time as the portion took. */
export async function writePlainTexts(store: Store, stopping?: AbortSignal): Promise<void> {
  // Nearly always there is nothing to do, and no transaction that writes is needed to know it.
  if ((await readPlace(store.reader)) === null) return;
  for (let rows = FIRST_PORTION; ; ) {
    const began = performance.now();
    if (!(await writePortion(store, rows)) || stopping?.aborted) return;
    const ms = performance.now() - began;
    rows = portionAfter(rows, ms);
    await delay(ms, undefined, { ref: false });
  }
}

const FIRST_PORTION = 50;
const PORTION = 1000;
/** Others wait about so long for a portion: on SQLite, nothing else happens in the server meanwhile. */
const PORTION_MS = 25;

/** How many rows the next portion has, after one with so many rows took so long; a slow one may be chance, so it grows and shrinks in steps. */
export function portionAfter(rows: number, ms: number): number {
  const wanted = (rows * PORTION_MS) / Math.max(ms, 1);
  return Math.round(Math.min(PORTION, Math.max(10, rows / 4, Math.min(wanted, rows * 2))));
}

/** Writes the next portion; returns false if nothing is left. */
export function writePortion({ write, dialect }: Pick<Store, 'write' | 'dialect'>, most = PORTION): Promise<boolean> {
  return write(
    async (db) => {
      const place = await readPlace(db, dialect);
      if (place === null) return false;
      const last = await writeTexts({ db, dialect }, place, most);
      const next = last === null ? { at: tables[tables.indexOf(place.at) + 1] ?? null, after: 0 } : { at: place.at, after: last };
      await writeProgress(db, SOURCE, { version: FOLDING, ...next });
      return true;
    },
    { patient: true },
  );
}

/** Writes the rows behind an id; returns the last id, null if there is none. */
async function writeTexts(at: At, { at: table, after }: { at: string; after: number }, most: number): Promise<number | null> {
  const folding = foldings[table];
  if (!folding) return null;
  const { of, columns } = folding;
  const names = Object.keys(columns({}));
  const { rows } = await sql<Texts & { id: number }>`
    SELECT id, ${sql.join([...of, ...names].map((name) => sql.ref(name)))} FROM ${sql.table(table)} WHERE id > ${after}
    ORDER BY id LIMIT ${most} ${at.dialect.forUpdate}`.execute(at.db);
  const changed = rows.flatMap((row) => {
    const texts: Texts = columns(row);
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
