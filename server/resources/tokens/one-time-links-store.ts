import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { countRows } from '../../db/queries/keyset.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function insertLink(db: Db, row: NewRow<'one_time_links'>): Promise<number> {
  const { id } = await db.insertInto('one_time_links').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export type SignInLink = Pick<Row<'one_time_links'>, 'id' | 'token_id' | 'admin_id' | 'invitation_id' | 'made_by' | 'enrols'>;

/** Finds a link that signs in or accepts an invitation and still works, by the unique index on code_hash. */
export function selectSignInLink(db: Db, codeHash: string, now: string): Promise<SignInLink | undefined> {
  return db
    .selectFrom('one_time_links')
    .select(['id', 'token_id', 'admin_id', 'invitation_id', 'made_by', 'enrols'])
    .where('code_hash', '=', codeHash)
    .where('target', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** How many links were sent by mail to an admin since then. */
export function countMailedLinks(db: Db, adminId: number, since: string): Promise<number> {
  const mailed = db.selectFrom('one_time_links').where('admin_id', '=', adminId).where('made_by', 'is', null);
  return countRows(mailed.where('created_at', '>', since));
}

/** Deletes the links by which an admin could sign in without a token. */
export async function deleteLinksOfAdmin(db: Db, adminId: number): Promise<void> {
  await db.deleteFrom('one_time_links').where('admin_id', '=', adminId).execute();
}

export async function deleteLinksOfInvitation(db: Db, invitationId: number): Promise<void> {
  await db.deleteFrom('one_time_links').where('invitation_id', '=', invitationId).execute();
}

/** Deletes the links for owners that another admin made, and returns their ids. */
export async function deleteLinksForOwners(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM one_time_links WHERE used_at IS NULL AND made_by IS NOT NULL AND made_by <> admin_id
      AND admin_id IN (SELECT id FROM admins WHERE role = 'owner') RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes the links that a token made and that nobody has used, and returns their ids. */
export async function deleteLinksOfTokens(db: Db): Promise<number[]> {
  const rows = await db
    .deleteFrom('one_time_links')
    .where('target', 'is', null)
    .where('invitation_id', 'is', null)
    .where('used_at', 'is', null)
    .where('enrols', '=', 0)
    .where((or) => or.or([or('token_id', 'is not', null), or('made_by', 'is not', null)]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

type DownloadLink = { id: number; token_id: number; target: string; expires_at: string; used_at: string | null };

/** Finds a download link by the unique index on code_hash, whether or not it still works. */
export function selectDownloadLink(db: Db, codeHash: string): Promise<DownloadLink | undefined> {
  return db
    .selectFrom('one_time_links')
    .select(['id', 'token_id', 'target', 'expires_at', 'used_at'])
    .where('code_hash', '=', codeHash)
    .where('target', 'is not', null)
    .where('token_id', 'is not', null)
    .$narrowType<{ target: string; token_id: number }>()
    .executeTakeFirst();
}

/** Uses up a link; returns false if another request was faster. */
export async function useLink(db: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const deleteOldLinks = deleteOldest('one_time_links', 'expires_at');
