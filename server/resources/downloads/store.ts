import { sql } from 'kysely';
import type { OrderDownload } from '../../../contract/orders.ts';
import type { Db } from '../../db/open.ts';
import { countRows } from '../../db/queries/keyset.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow } from '../../db/tables.ts';

export type Allowance = { expires_at: string | null; remaining: number | null };

/** Links of an order that are not revoked, oldest first; some may be expired or used up. */
export const selectDownloads = statement<{ orderId: number }, Omit<OrderDownload, 'url'>>(
  (value) => sql`
    SELECT d.token, d.product_id, d.file_id, f.original_filename AS filename, d.expires_at, d.remaining
    FROM downloads d JOIN files f ON f.id = d.file_id
    WHERE d.order_id = ${value('orderId')} AND d.revoked_at IS NULL
    ORDER BY d.id`,
);

/** The files of an order's digital lines that have no link yet, in the order of the lines. */
export function selectMissing(db: Db, orderId: number) {
  return db
    .selectFrom('order_items as i')
    .innerJoin('products as p', 'p.id', 'i.product_id')
    .innerJoin('product_files as f', 'f.product_id', 'p.id')
    .leftJoin('downloads as d', (join) => join.onRef('d.order_item_id', '=', 'i.id').onRef('d.file_id', '=', 'f.file_id'))
    .select(['i.id as order_item_id', 'i.product_id', 'f.file_id'])
    .where('i.order_id', '=', orderId)
    .where('p.kind', '=', 'digital')
    .where('d.id', 'is', null)
    .orderBy('i.position')
    .orderBy('i.id')
    .orderBy('f.position')
    .execute();
}

export async function insertDownloads(db: Db, downloads: readonly NewRow<'downloads'>[]): Promise<void> {
  if (downloads.length > 0) await db.insertInto('downloads').values(downloads).execute();
}

/** Renews revoked links; returns how many. */
export async function renewRevoked(db: Db, orderId: number, allowance: Allowance): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('downloads')
    .set({ ...allowance, revoked_at: null })
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is not', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function revoke(db: Db, orderId: number, now: string): Promise<void> {
  await db.updateTable('downloads').set({ revoked_at: now }).where('order_id', '=', orderId).where('revoked_at', 'is', null).execute();
}

/** The file and state of a link, whether or not it still works. */
export async function selectLink(db: Db, token: string) {
  const row = await db
    .selectFrom('downloads as d')
    .innerJoin('files as f', 'f.id', 'd.file_id')
    .select(['d.expires_at', 'd.remaining', 'd.revoked_at', 'f.storage_key', 'f.original_filename', 'f.content_type'])
    .where('d.token', '=', token)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Takes one fetch from a link that works; returns false if it does not. One statement, so that only one of two concurrent
 * fetches gets the last one.
 */
export async function useLink(db: Db, token: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('downloads')
    .set((eb) => ({ remaining: eb('remaining', '-', 1) }))
    .where('token', '=', token)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where((eb) => eb.or([eb('remaining', 'is', null), eb('remaining', '>', 0)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts the links to a file that are not revoked. */
export function countOfFile(db: Db, fileId: number): Promise<number> {
  return countRows(db.selectFrom('downloads').where('file_id', '=', fileId).where('revoked_at', 'is', null));
}

export async function deleteOfFile(db: Db, fileId: number): Promise<void> {
  await db.deleteFrom('downloads').where('file_id', '=', fileId).execute();
}

export async function deleteOfLines(db: Db, orderItemIds: readonly number[]): Promise<void> {
  if (orderItemIds.length > 0) await db.deleteFrom('downloads').where('order_item_id', 'in', orderItemIds).execute();
}
