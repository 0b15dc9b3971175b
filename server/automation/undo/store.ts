import { sql } from 'kysely';
import { policies, policyOf } from '../../db/captured-tables.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, type Place, type RowValues, updateRow } from '../../db/queries/one-row.ts';
import { insertInto, statement } from '../../db/queries/statement.ts';
import type { Row } from '../../db/tables.ts';

const EFFECT = ['id', 'run_id', 'method', 'path', 'resource_type', 'resource_id', 'customer_id', 'changes', 'is_first'] as const;

export type EffectRow = Pick<Row<'run_effects'>, (typeof EFFECT)[number]> & { images: string | null };

export type EffectCall = Pick<EffectRow, 'id' | 'run_id' | 'method' | 'path' | 'is_first'>;

/** By which calls these runs had their effects, newest first. */
export async function selectCalls(db: Db, runIds: readonly number[], limit: number): Promise<EffectCall[]> {
  return db
    .selectFrom('run_effects')
    .select(['id', 'run_id', 'method', 'path', 'is_first'])
    .where('run_id', 'in', runIds)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The runs of a lineage that took effect. */
export async function selectLineage(db: Db, lineageId: string): Promise<{ id: number; status: string }[]> {
  return db.selectFrom('runs').select(['id', 'status']).where('lineage_id', '=', lineageId).where('dry_run', '=', 0).execute();
}

/** Sets columns, adds to counters, and sets the marks of a change. */
export async function changeRow(
  db: Db,
  place: Place,
  change: { set: RowValues; add: Record<string, number>; now: string; runId: number | null },
): Promise<void> {
  const { marks } = policyOf(place.table);
  const set = { ...change.set };
  const add = { ...change.add };
  for (const name of marks) {
    if (name === 'row_version' || name === 'version') add[name] = 1;
    else if (name === 'updated_at') set[name] = change.now;
    else if (name === 'updated_by_run_id') set[name] = change.runId;
  }
  if (Object.keys(set).length + Object.keys(add).length > 0) await updateRow(db, place, set, add);
}

/** Deletes a row, and the entries of ledgers that are of it. */
export async function deleteRow(db: Db, place: Place): Promise<void> {
  for (const [ledger, { ledgerOf }] of policies)
    if (ledgerOf?.table === place.table) await deleteRows(db, { table: ledger, key: { [ledgerOf.column]: place.key['id'] ?? null } });
  await deleteRows(db, place);
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

/** The effects of a write, by the id of its first one, oldest first: up to the first one of the run's next write. */
export const selectWrite = statement<{ runId: number; call: number }, EffectRow>(
  (value) => sql`
    SELECT ${sql.join(EFFECT.map((name) => sql.ref(`e.${name}`)))}, i.images
    FROM run_effects e LEFT JOIN effect_images i ON i.effect_id = e.id
    WHERE e.run_id = ${value('runId')} AND e.id >= ${value('call')} AND e.id < coalesce((
      SELECT f.id FROM run_effects f WHERE f.run_id = ${value('runId')} AND f.id > ${value('call')} AND f.is_first = 1 ORDER BY f.id LIMIT 1
    ), ${sql.lit(Number.MAX_SAFE_INTEGER)})
    ORDER BY e.id`,
);
