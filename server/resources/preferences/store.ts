import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { type AdminRow, roleColumns } from '../../db/queries/admin-rows.ts';
import type { NewRow } from '../../db/tables.ts';

/** Whether the admin has switched the mails of an event type on or off, for each type that the admin has chosen about. */
export async function selectChosen(db: Db, adminId: number): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['event_type', 'email_enabled'])
    .where('admin_id', '=', adminId)
    .execute();
  return new Map(rows.map(({ event_type, email_enabled }) => [event_type, email_enabled === 1]));
}

export async function upsertPreference(db: Db, row: NewRow<'notification_preferences'>): Promise<void> {
  await db
    .insertInto('notification_preferences')
    .values(row)
    .onConflict((conflict) => conflict.columns(['admin_id', 'event_type']).doUpdateSet({ email_enabled: row.email_enabled }))
    .execute();
}

export async function deletePreference(db: Db, adminId: number, eventType: string): Promise<void> {
  await db.deleteFrom('notification_preferences').where('admin_id', '=', adminId).where('event_type', '=', eventType).execute();
}

/** Active admins who want the mails of this event. `unlessSet`: who wants them without having chosen: all, this admin, or nobody. */
export function selectWilling(db: Db, eventType: string, unlessSet: 'all' | number | null): Promise<AdminRow[]> {
  const byDefault = unlessSet === 'all' ? sql`1 = 1` : unlessSet === null ? sql`1 = 0` : sql`admins.id = ${unlessSet}`;
  return db
    .selectFrom('admins')
    .leftJoin('notification_preferences as p', (join) => join.onRef('p.admin_id', '=', 'admins.id').on('p.event_type', '=', eventType))
    .selectAll('admins')
    .select(roleColumns)
    .where('admins.active', '=', 1)
    .where(sql<boolean>`(p.email_enabled = 1 OR (p.email_enabled IS NULL AND ${byDefault}))`)
    .orderBy('admins.id')
    .execute();
}
