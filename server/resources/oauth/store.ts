import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type OauthRow = Row<'oauth_records'>;

/** Stores a record, or replaces the one with this key. */
export async function upsertRecord(db: Db, row: NewRow<'oauth_records'>): Promise<void> {
  const { payload, expires_at, agent_id = null, grant_id = null } = row;
  await db
    .insertInto('oauth_records')
    .values(row)
    .onConflict((clash) => clash.column('key_hash').doUpdateSet({ payload, expires_at, agent_id, grant_id }))
    .execute();
}

export function selectRecord(db: Db, keyHash: string): Promise<OauthRow | undefined> {
  return db.selectFrom('oauth_records').selectAll().where('key_hash', '=', keyHash).executeTakeFirst();
}

/** Uses a record up; undefined if there is none that is unused and still valid. */
export function consumeRecord(db: Db, keyHash: string, now: string): Promise<OauthRow | undefined> {
  return db
    .updateTable('oauth_records')
    .set({ consumed_at: now })
    .where('key_hash', '=', keyHash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function updatePayload(db: Db, id: number, payload: string): Promise<void> {
  await db.updateTable('oauth_records').set({ payload }).where('id', '=', id).execute();
}

/** Lets a record be kept until then, if it would go earlier. */
export async function keepUntil(db: Db, keyHash: string, until: string): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: until })
    .where('key_hash', '=', keyHash)
    .where('expires_at', '<', until)
    .execute();
}

export async function deleteRecord(db: Db, keyHash: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('key_hash', '=', keyHash).execute();
}

/** Deletes a grant and all that came of it; returns the agent that it made. */
export async function deleteGrant(db: Db, grantId: string): Promise<number | null> {
  const rows = await db.deleteFrom('oauth_records').where('grant_id', '=', grantId).returning('agent_id').execute();
  return rows.find(({ agent_id }) => agent_id !== null)?.agent_id ?? null;
}

export async function countValid(db: Db, model: string, now: string): Promise<number> {
  const { n } = await db
    .selectFrom('oauth_records')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('model', '=', model)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(n);
}

export const deleteExpired = deleteOldest('oauth_records', 'expires_at');
