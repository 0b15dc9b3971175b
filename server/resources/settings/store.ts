import type { Db } from '../../db/open.ts';
import type { Row } from '../../db/tables.ts';

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
