import { sql } from 'kysely';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { Db } from '../../db/open.ts';
import { insertInto } from '../../db/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

const insertAuditRow = insertInto('audit_log');
const insertLogEntry = insertInto('log_entries');
const insertEvent = insertInto('domain_events', sql<{ id: number }>`id`);
const insertEffect = insertInto('run_effects');

export async function insertAudit(db: Db, rows: NewRow<'audit_log'>[]): Promise<void> {
  for (const row of rows) await insertAuditRow(db, row);
}

export async function insertLogEntries(db: Db, rows: NewRow<'log_entries'>[]): Promise<void> {
  for (const row of rows) await insertLogEntry(db, row);
}

/** Its id. */
export async function insertDomainEvent(db: Db, row: NewRow<'domain_events'>): Promise<number> {
  const [inserted] = await insertEvent(db, row);
  if (!inserted) throw new Error('an insert gave no id');
  return inserted.id;
}

export async function insertEffects(db: Db, rows: NewRow<'run_effects'>[]): Promise<void> {
  for (const row of rows) await insertEffect(db, row);
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

/** In no order. */
export function selectAudit(db: Db, ids: readonly number[]): Promise<Row<'audit_log'>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('audit_log').selectAll().where('id', 'in', ids).execute();
}
