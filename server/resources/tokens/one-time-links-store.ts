import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow } from '../../db/tables.ts';

export async function insertLink(db: Db, row: NewRow<'one_time_links'>): Promise<number> {
  const { id } = await db.insertInto('one_time_links').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Uses up a sign-in link by the unique index on code_hash; undefined if there is none that still works. */
export function useSignInLink(db: Db, codeHash: string, now: string): Promise<{ id: number; token_id: number } | undefined> {
  return db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('code_hash', '=', codeHash)
    .where('target', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'token_id'])
    .executeTakeFirst();
}

type DownloadLink = { id: number; token_id: number; target: string; expires_at: string; used_at: string | null };

/** Finds a download link by the unique index on code_hash, whether or not it still works. */
export function selectDownloadLink(db: Db, codeHash: string): Promise<DownloadLink | undefined> {
  return db
    .selectFrom('one_time_links')
    .select(['id', 'token_id', 'target', 'expires_at', 'used_at'])
    .where('code_hash', '=', codeHash)
    .where('target', 'is not', null)
    .$narrowType<{ target: string }>()
    .executeTakeFirst();
}

/** Uses up a download link; returns false if another request was faster. */
export async function useDownloadLink(db: Db, id: number, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const deleteOldLinks = deleteOldest('one_time_links', 'expires_at');
