import { type RawBuilder, sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { rowsAbout, type Traces } from '../../db/queries/about.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { type Position, type Reading, selectKeys } from '../../db/queries/keyset.ts';
import { HARMLESS_FIELDS } from '../../db/queries/personal-columns.ts';
import { insertInto, statement } from '../../db/queries/statement.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';

const insertAuditRow = insertInto('audit_log');
const insertLogEntry = insertInto('log_entries');
/**
 * The insert also tells whether any trigger listens for the event, or any run waits for one of its type, so that other events cost no second
 * statement. What a wait is found by begins with the type and `|`; `}` is the character after it.
 */
const insertEvent = insertInto(
  'domain_events',
  sql<StoredEvent>`id, EXISTS (SELECT 1 FROM triggers t WHERE t.event = domain_events.type AND t.enabled = 1) AS has_triggers,
    EXISTS (SELECT 1 FROM run_prompts w WHERE w.found_by >= domain_events.type || '|' AND w.found_by < domain_events.type || '}'
      AND w.found_by IS NOT NULL AND w.answered_at IS NULL) AS has_waits`,
);
const insertEffect = insertInto('run_effects');
const insertNamed = insertInto('run_effects', sql<{ id: number }>`id`);
const insertImages = insertInto('effect_images');

export async function insertAudit(db: Db, rows: NewRow<'audit_log'>[]): Promise<void> {
  for (const row of rows) await insertAuditRow(db, row);
}

export async function insertLogEntries(db: Db, rows: NewRow<'log_entries'>[]): Promise<void> {
  for (const row of rows) await insertLogEntry(db, row);
}

/** What is told is 0 or 1 on SQLite and a boolean on PostgreSQL. */
type StoredEvent = { id: number; has_triggers: number | boolean; has_waits: number | boolean };

export async function insertDomainEvent(
  db: Db,
  row: NewRow<'domain_events'>,
): Promise<{ id: number; hasTriggers: boolean; hasWaits: boolean }> {
  const [inserted] = await insertEvent(db, row);
  if (!inserted) throw new Error('an insert gave no id');
  return { id: inserted.id, hasTriggers: Boolean(inserted.has_triggers), hasWaits: Boolean(inserted.has_waits) };
}

/** What is told to a dry run is compared when it is done again, so no id is asked for. */
export async function insertEffects(db: Db, rows: readonly NewRow<'run_effects'>[]): Promise<void> {
  for (const row of rows) await insertEffect(db, row);
}

/** Inserts the effects of one write, and the rows that it changed with the first of them. */
export async function insertEffectsWithImages(
  db: Db,
  [first, ...more]: readonly NewRow<'run_effects'>[],
  images: string | null,
): Promise<void> {
  if (!first) return;
  const effect_id = await insertOpenEffect(db, first);
  await insertEffects(db, more);
  await insertImages(db, { effect_id, images });
}

export async function insertOpenEffect(db: Db, row: NewRow<'run_effects'>): Promise<number> {
  const [inserted] = await insertNamed(db, row);
  if (!inserted) throw new Error('an insert gave no id');
  return inserted.id;
}

export const completeEffect = statement<{ id: number; changes: string; maybeTwice: number }>(
  (value) => sql`
    UPDATE run_effects SET changes = ${value('changes')}, maybe_twice = CASE WHEN ${value('maybeTwice')} = 1 THEN 1 ELSE maybe_twice END
    WHERE id = ${value('id')}`,
);

export async function updateMaybeTwice(db: Db, type: 'mail', ids: readonly number[]): Promise<void> {
  await sql`UPDATE run_effects SET maybe_twice = 1 WHERE resource_type = ${type} AND resource_id IN (${sql.join(ids)})`.execute(db);
}

export type AuditFilter = {
  actor_id: number | undefined;
  action: string | undefined;
  resource_type: string | undefined;
  resource_id: number | undefined;
  from: string | null;
  before: string | null;
};

export function selectAuditKeys(db: Db, filter: AuditFilter, reading: Reading): Promise<Position[]> {
  let query = db.selectFrom('audit_log');
  if (filter.actor_id !== undefined) query = query.where('actor_id', '=', filter.actor_id);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.resource_type !== undefined) query = query.where('resource_type', '=', filter.resource_type);
  if (filter.resource_id !== undefined) query = query.where('resource_id', '=', filter.resource_id);
  if (filter.from !== null) query = query.where('at', '>=', filter.from);
  if (filter.before !== null) query = query.where('at', '<', filter.before);
  return selectKeys(query, reading);
}

/** The order of the rows is not defined. */
export function selectAudit(db: Db, ids: readonly number[]): Promise<Row<'audit_log'>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('audit_log').selectAll().where('id', 'in', ids).execute();
}

export async function selectEntry(db: Db, id: number): Promise<Row<'audit_log'> | undefined> {
  return db.selectFrom('audit_log').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The entries that took an entry back, oldest first. */
export async function selectUndoneBy(db: Db, id: number): Promise<number[]> {
  const rows = await db.selectFrom('audit_log').select('id').where('undo_of_entry_id', '=', id).orderBy('id').execute();
  return rows.map((row) => row.id);
}

export async function selectTaskOf(db: Db, runId: number): Promise<number | null> {
  const row = await db.selectFrom('runs').select('task_id').where('id', '=', runId).executeTakeFirst();
  return row?.task_id ?? null;
}

const lockable: Readonly<Record<string, keyof Database>> = {
  ...{ access_group: 'access_groups', customer: 'customers', customer_address: 'addresses', customer_note: 'customer_notes' },
  ...{ discount_group: 'discount_groups', file: 'files', inquiry: 'inquiries', media: 'media', order: 'orders', page: 'pages' },
  ...{ order_status: 'order_statuses', payment: 'payments', pickup_location: 'pickup_locations', product: 'products' },
  ...{ shipping_method: 'shipping_methods', tax_rate: 'tax_rates', theme: 'themes', variant: 'variants', voucher: 'vouchers' },
};

/** Locks the record of an entry, so that nothing changes it until the transaction ends. */
export async function lockRecordOf({ db, dialect }: At, { resource_type: type, resource_id: id }: Row<'audit_log'>): Promise<void> {
  const table = lockable[type];
  if (table === undefined || dialect.oneWriter) return;
  await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} ${dialect.forUpdate}`.execute(db);
}

/** Stands for a value about a person who was forgotten. */
export const REMOVED = '(removed)';

/** Keeps who changed which field and when, but replaces the values of fields that may be personal. */
export async function forgetChanges({ db, dialect }: At, table: 'audit_log' | 'run_effects', traces: Traces): Promise<void> {
  const instead = JSON.stringify([REMOVED, REMOVED]);
  const kept = dialect.objectOf((value) => sql`CASE WHEN ${isPlain} THEN ${value} ELSE ${instead} END`);
  await sql`
    UPDATE ${sql.table(table)} SET changes = (SELECT ${kept} FROM ${dialect.fieldsOf(sql.ref(`${table}.changes`))})
    WHERE id IN ${rowsAbout(dialect, table, traces)} AND ${hasPersonal(dialect, sql.ref(`${table}.changes`))}`.execute(db);
}

/** Forgets how the rows were that writes about these records have changed; they are of the first effect of each write. */
export async function forgetImages({ db, dialect }: At, traces: Traces): Promise<void> {
  await sql`
    UPDATE effect_images SET images = NULL WHERE effect_id IN (
      SELECT (SELECT max(f.id) FROM run_effects f WHERE f.run_id = e.run_id AND f.is_first = 1 AND f.id <= e.id)
      FROM run_effects e WHERE e.id IN ${rowsAbout(dialect, 'run_effects', traces)}
    )`.execute(db);
}

export async function forgetLogged({ db, dialect }: At, traces: Traces): Promise<void> {
  await sql`
    UPDATE log_entries SET summary = ${REMOVED}, detail = NULL
    WHERE id IN ${rowsAbout(dialect, 'log_entries', traces)} AND ${hasPersonal(dialect, sql`log_entries.detail`)}`.execute(db);
}

function hasPersonal({ fieldsOf }: At['dialect'], json: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`EXISTS (SELECT 1 FROM ${fieldsOf(json)} WHERE NOT ${isPlain})`;
}

const isPlain = sql<boolean>`(fields.key IN (${sql.join(HARMLESS_FIELDS.map((field) => sql.lit(field)))})
  OR fields.key LIKE '%id' OR fields.key LIKE 'new item %' OR fields.key LIKE 'payment % sort_order'
  OR (fields.key LIKE 'item %' AND fields.key NOT LIKE '%custom fields'))`;

export const deleteOldAudit = deleteOldest('audit_log', 'at');
export const deleteOldLogEntries = deleteOldest('log_entries', 'created_at');

/** Deletes old events. Webhooks have copies in their own rows; an event that is queued for a trigger stays. */
export async function deleteOldEvents({ db }: { db: Db }, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM domain_events WHERE id IN (
    SELECT e.id FROM domain_events e WHERE e.at < ${before} AND NOT EXISTS (
      SELECT 1 FROM trigger_deliveries d WHERE d.event_id = e.id
    ) ORDER BY e.at, e.id LIMIT ${limit}) RETURNING id`.execute(db);
  return rows.length;
}
