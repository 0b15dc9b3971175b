import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** What has ended since: the API takes ends that are to come. */

const PAST = '2020-01-01T00:00:00.000Z';

/** A bucket of credit that was granted for some days, which are over. */
export async function expireBucket(store: Store, id: number): Promise<void> {
  await store.write((db) => db.updateTable('credit_buckets').set({ expires_at: PAST }).where('id', '=', id).execute());
}

/** Access to a group by an order, for some days, which are over. */
export async function expireAccess(store: Store, orderId: number, groupId: number): Promise<void> {
  await store.write(async (db) => {
    await db.updateTable('entitlements').set({ expires_at: PAST }).where('order_id', '=', orderId).execute();
    await db.updateTable('access_group_members').set({ until: PAST }).where('group_id', '=', groupId).execute();
  });
}

/** A link of a buyer to a file, whose days have ended at this time. */
export async function expireDownload(store: Store, token: string, expires_at: string): Promise<void> {
  await store.write((db) => db.updateTable('downloads').set({ expires_at }).where('token', '=', token).execute());
}

/** All notifications are new again to everybody: the API marks them as read for ever. */
export async function forgetReads(store: Store): Promise<void> {
  await store.write((db) => sql`DELETE FROM notification_reads`.execute(db));
}
