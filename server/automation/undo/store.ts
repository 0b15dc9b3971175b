import { sql } from 'kysely';
import { policies, policyOf } from '../../db/captured-tables.ts';
import type { At, Db } from '../../db/open.ts';
import { insertInto } from '../../db/queries/statement.ts';
import { findRow, type RowValues, whereKey } from '../../db/row-capture.ts';
import type { Row } from '../../db/tables.ts';

export type EffectRow = Row<'run_effects'> & { images: string | null };

/** The effects of these runs, newest first, with the rows that their writes changed. */
export async function selectEffects(db: Db, runIds: readonly number[], limit: number): Promise<EffectRow[]> {
  return db
    .selectFrom('run_effects as e')
    .leftJoin('effect_images as i', 'i.effect_id', 'e.id')
    .selectAll('e')
    .select('i.images')
    .where('e.run_id', 'in', runIds)
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute();
}

/** The runs of a lineage that took effect. */
export async function selectLineage(db: Db, lineageId: string): Promise<{ id: number; status: string }[]> {
  return db.selectFrom('runs').select(['id', 'status']).where('lineage_id', '=', lineageId).where('dry_run', '=', 0).execute();
}

/** Locks the row with this key until the transaction ends. */
export async function lockRow({ db, dialect }: At, table: string, key: RowValues): Promise<RowValues | null> {
  if (!dialect.oneWriter) await sql`SELECT 1 FROM ${sql.table(table)} WHERE ${whereKey(key)} ${dialect.forUpdate}`.execute(db);
  return findRow(db, table, key);
}

export async function insertRow(db: Db, table: string, row: RowValues): Promise<void> {
  const names = Object.keys(row);
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) VALUES (${sql.join(Object.values(row))})`.execute(db);
}

/** Sets columns, adds to counters, and sets the marks of a change. */
export async function updateRow(
  db: Db,
  place: { table: string; key: RowValues },
  change: { set: RowValues; add: Record<string, number>; now: string; runId: number | null },
): Promise<void> {
  const { marks } = policyOf(place.table);
  const parts = [
    ...Object.entries(change.set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...Object.entries(change.add).map(([name, by]) => sql`${sql.ref(name)} = ${sql.ref(name)} + CAST(${by} AS bigint)`),
    ...marks.flatMap((name) => markOf(name, change)),
  ];
  if (parts.length === 0) return;
  await sql`UPDATE ${sql.table(place.table)} SET ${sql.join(parts)} WHERE ${whereKey(place.key)}`.execute(db);
}

function markOf(name: string, { now, runId }: { now: string; runId: number | null }) {
  if (name === 'row_version' || name === 'version') return [sql`${sql.ref(name)} = ${sql.ref(name)} + 1`];
  if (name === 'updated_at') return [sql`updated_at = ${now}`];
  if (name === 'updated_by_run_id') return [sql`updated_by_run_id = ${runId}`];
  return [];
}

/** Deletes a row, and the entries of ledgers that are of it. */
export async function deleteRow(db: Db, table: string, key: RowValues): Promise<void> {
  for (const [ledger, { ledgerOf }] of policies) {
    if (ledgerOf?.table === table)
      await sql`DELETE FROM ${sql.table(ledger)} WHERE ${sql.ref(ledgerOf.column)} = ${key['id'] ?? null}`.execute(db);
  }
  await sql`DELETE FROM ${sql.table(table)} WHERE ${whereKey(key)}`.execute(db);
}

const insertStockMovement = insertInto('stock_movements');
const insertCreditTransaction = insertInto('credit_transactions');
const insertOrderEdit = insertInto('order_edits');
export const counterEntries = { insertStockMovement, insertCreditTransaction, insertOrderEdit };

/** Whether the plan of a lineage is still kept. */
export async function isKept(db: Db, lineageId: string): Promise<boolean> {
  const row = await db.selectFrom('lineages').select('seed').where('id', '=', lineageId).executeTakeFirst();
  return row !== undefined && row.seed !== '';
}

const deletable: Readonly<Record<string, 'files' | 'media' | 'customer_files'>> = {
  'files.delete': 'files',
  'media.delete': 'media',
  'customers.delete_file': 'customer_files',
};

/** The record that an endpoint deletes. */
export async function selectMade(db: Db, endpoint: string, id: number): Promise<{ id: number } | undefined> {
  const table = deletable[endpoint];
  if (!table) throw new Error(`it is not known what ${endpoint} deletes`);
  return db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
}

/** The effects of these writes, by the id of each one's first effect, oldest first. */
export async function selectWrite(db: Db, runId: number, call: number): Promise<EffectRow[]> {
  const rows = await db
    .selectFrom('run_effects as e')
    .leftJoin('effect_images as i', 'i.effect_id', 'e.id')
    .selectAll('e')
    .select('i.images')
    .where('e.run_id', '=', runId)
    .where('e.id', '>=', call)
    .orderBy('e.id')
    .execute();
  const next = rows.findIndex(({ is_first, id }) => is_first === 1 && id > call);
  return next === -1 ? rows : rows.slice(0, next);
}
