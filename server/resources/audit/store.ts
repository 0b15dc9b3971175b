import type { Db } from '../../db/open.ts';
import type { NewRow } from '../../db/tables.ts';

export async function insertAudit(db: Db, rows: NewRow<'audit_log'>[]): Promise<void> {
  await db.insertInto('audit_log').values(rows).execute();
}

export async function insertLogEntries(db: Db, rows: NewRow<'log_entries'>[]): Promise<void> {
  await db.insertInto('log_entries').values(rows).execute();
}

export async function insertDomainEvents(db: Db, rows: NewRow<'domain_events'>[]): Promise<void> {
  await db.insertInto('domain_events').values(rows).execute();
}

export async function insertEffects(db: Db, rows: NewRow<'run_effects'>[]): Promise<void> {
  await db.insertInto('run_effects').values(rows).execute();
}
