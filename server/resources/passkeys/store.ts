import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { countRows } from '../../db/queries/keyset.ts';
import { updateVersioned } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type PasskeyRow = Row<'passkeys'>;

/** The passkeys of an admin that are not deleted, oldest first (a few rows). */
export function selectPasskeysOf(db: Db, adminId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('admin_id', '=', adminId).where('deleted_at', 'is', null).orderBy('id').execute();
}

/** A passkey of this admin that is not deleted. */
export function selectOwnPasskey(db: Db, adminId: number, id: number): Promise<PasskeyRow | undefined> {
  const own = db.selectFrom('passkeys').selectAll().where('id', '=', id).where('admin_id', '=', adminId);
  return own.where('deleted_at', 'is', null).executeTakeFirst();
}

/** Finds a passkey that is not deleted by the unique index on credential_id, and locks it until this transaction ends. */
export function holdPasskey({ db, dialect }: At, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('deleted_at', 'is', null)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

/** Whether anybody in the shop ever had a passkey. A deleted one counts, so that nobody can bring back the time before the first. */
export async function hasHadPasskeys(db: Db): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether an admin ever had a passkey. */
export async function hasHadPasskey(db: Db, adminId: number): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').where('admin_id', '=', adminId).limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the id; null if the credential is known already. */
export async function insertPasskey(db: Db, row: NewRow<'passkeys'>): Promise<number | null> {
  const made = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((clash) => clash.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

export async function notePasskeyUse(
  db: Db,
  id: number,
  used: { counter: number; backed_up: number; last_used_at: string },
): Promise<void> {
  await db.updateTable('passkeys').set(used).where('id', '=', id).execute();
}

export const updatePasskey = updateVersioned('passkeys');

export async function insertChallenge(db: Db, row: NewRow<'passkey_challenges'>): Promise<void> {
  await db.insertInto('passkey_challenges').values(row).execute();
}

/** Uses a challenge up; undefined if there is none that waits. */
export function takeChallenge(db: Db, hash: string, now: string): Promise<Row<'passkey_challenges'> | undefined> {
  const waiting = db.deleteFrom('passkey_challenges').where('challenge_hash', '=', hash).where('expires_at', '>', now);
  return waiting.returningAll().executeTakeFirst();
}

export async function insertCode(db: Db, row: NewRow<'passkey_codes'>): Promise<void> {
  await db.insertInto('passkey_codes').values(row).execute();
}

export function selectCode(db: Db, hash: string, now: string): Promise<Row<'passkey_codes'> | undefined> {
  return db.selectFrom('passkey_codes').selectAll().where('code_hash', '=', hash).where('expires_at', '>', now).executeTakeFirst();
}

/** Uses a code up; returns false if another request was faster. */
export async function takeCode(db: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('passkey_codes').where('code_hash', '=', hash).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends all codes that wait for an admin. */
export async function deleteCodesOf(db: Db, adminId: number): Promise<void> {
  await db.deleteFrom('passkey_codes').where('admin_id', '=', adminId).execute();
}

/** Puts new recovery codes in the place of an admin's earlier ones. */
export async function replaceRecoveryCodes(db: Db, adminId: number, rows: readonly NewRow<'recovery_codes'>[]): Promise<void> {
  await deleteRecoveryCodes(db, adminId);
  await db
    .insertInto('recovery_codes')
    .values([...rows])
    .execute();
}

/** Whose recovery code this is, whether or not it was used. */
export async function whoseRecoveryCode(db: Db, hash: string): Promise<number | undefined> {
  return (await db.selectFrom('recovery_codes').select('admin_id').where('code_hash', '=', hash).executeTakeFirst())?.admin_id;
}

/** Uses a recovery code up; returns false if it was used, or another request was faster. */
export async function useRecoveryCode(db: Db, hash: string, now: string): Promise<boolean> {
  const used = db.updateTable('recovery_codes').set({ used_at: now }).where('code_hash', '=', hash).where('used_at', 'is', null);
  const { numUpdatedRows } = await used.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes an admin's recovery codes, used ones too. */
export async function deleteRecoveryCodes(db: Db, adminId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('admin_id', '=', adminId).execute();
}

export function countRecoveryCodes(db: Db, adminId: number): Promise<number> {
  return countRows(db.selectFrom('recovery_codes').where('admin_id', '=', adminId).where('used_at', 'is', null));
}

/** An active admin, who is not deactivated before this transaction ends. */
export function holdActiveAdmin({ db, dialect }: At, id: number): Promise<Row<'admins'> | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).where('active', '=', 1).modifyEnd(dialect.forShare).executeTakeFirst();
}

/** The version of a passkey that belongs to the admin and is not deleted. */
export async function selectVersion(db: Db, adminId: number, id: number): Promise<number | null> {
  const { rows } = await sql<{ row_version: number }>`
    SELECT row_version FROM passkeys WHERE id = ${id} AND admin_id = ${adminId} AND deleted_at IS NULL`.execute(db);
  return rows[0]?.row_version ?? null;
}

export const deleteOldChallenges = deleteOldest('passkey_challenges', 'expires_at', 'challenge_hash');
export const deleteOldCodes = deleteOldest('passkey_codes', 'expires_at', 'code_hash');
