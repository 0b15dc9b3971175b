import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

/** A row beside the settings: how often they have changed. */
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

/** 1 where nothing was ever changed. */
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
