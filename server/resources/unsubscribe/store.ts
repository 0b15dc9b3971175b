import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow } from '../../db/tables.ts';

export async function insertLink(db: Db, link: NewRow<'unsubscribe_links'>): Promise<void> {
  await db.insertInto('unsubscribe_links').values(link).execute();
}

/** The customer whom a link opts out; null if there is no such link. */
export async function selectCustomerId(db: Db, tokenHash: string): Promise<number | null> {
  const row = await db.selectFrom('unsubscribe_links').select('customer_id').where('token_hash', '=', tokenHash).executeTakeFirst();
  return row?.customer_id ?? null;
}

export async function deleteLinksOf(db: Db, customerId: number): Promise<void> {
  await db.deleteFrom('unsubscribe_links').where('customer_id', '=', customerId).execute();
}

export const deleteOldLinks = deleteOldest('unsubscribe_links', 'created_at', 'token_hash');
