import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

/** The key of the row that counts the changes of all settings. */
const VERSION = 'row_version';

export function selectSettings(db: Db): Promise<Row<'settings'>[]> {
  return db.selectFrom('settings').selectAll().execute();
}

export async function upsertSetting(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** The row version of the settings; 1 if they were never changed. */
export async function selectVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', VERSION).executeTakeFirst();
  return row ? Number(row.value) : 1;
}

export async function bumpVersion(db: Db): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: VERSION, value: '2' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql<string>`CAST(CAST(settings.value AS integer) + 1 AS text)` }))
    .execute();
}

export async function hasOrders(db: Db): Promise<boolean> {
  return (await db.selectFrom('orders').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** How many active admins have a passkey. */
export async function countKeyHolders(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM admins a
    WHERE a.active = 1 AND EXISTS (SELECT 1 FROM passkeys p WHERE p.admin_id = a.id AND p.deleted_at IS NULL)`.execute(db);
  return Number(rows[0]?.n ?? 0);
}
