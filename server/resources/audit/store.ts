import type { Db } from '../../db/open.ts';
import { insertInto } from '../../db/statement.ts';
import type { NewRow } from '../../db/tables.ts';

const insertAuditRow = insertInto('audit_log');
const insertLogEntry = insertInto('log_entries');
const insertDomainEvent = insertInto('domain_events');
const insertEffect = insertInto('run_effects');

export async function insertAudit(db: Db, rows: NewRow<'audit_log'>[]): Promise<void> {
  for (const row of rows) await insertAuditRow(db, row);
}

export async function insertLogEntries(db: Db, rows: NewRow<'log_entries'>[]): Promise<void> {
  for (const row of rows) await insertLogEntry(db, row);
}

export async function insertDomainEvents(db: Db, rows: NewRow<'domain_events'>[]): Promise<void> {
  for (const row of rows) await insertDomainEvent(db, row);
}

export async function insertEffects(db: Db, rows: NewRow<'run_effects'>[]): Promise<void> {
  for (const row of rows) await insertEffect(db, row);
}
