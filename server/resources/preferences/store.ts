import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** Event types whose mails the admin has switched off. */
export async function selectDisabled(db: Db, adminId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_preferences')
    .select('event_type')
    .where('admin_id', '=', adminId)
    .where('email_enabled', '=', 0)
    .execute();
  return rows.map(({ event_type }) => event_type);
}

export async function upsertPreference(db: Db, row: NewRow<'notification_preferences'>): Promise<void> {
  await db
    .insertInto('notification_preferences')
    .values(row)
    .onConflict((conflict) => conflict.columns(['admin_id', 'event_type']).doUpdateSet({ email_enabled: row.email_enabled }))
    .execute();
}

/** Active admins who have not switched off the mails of this event. */
export function selectWilling(db: Db, eventType: string): Promise<Row<'admins'>[]> {
  return db
    .selectFrom('admins as a')
    .selectAll('a')
    .where('a.active', '=', 1)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notification_preferences as p')
            .select('p.admin_id')
            .whereRef('p.admin_id', '=', 'a.id')
            .where('p.event_type', '=', eventType)
            .where('p.email_enabled', '=', 0),
        ),
      ),
    )
    .orderBy('a.id')
    .execute();
}
