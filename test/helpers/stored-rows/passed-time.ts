import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** What has expired or come in before; the API takes only times in the future, and the present one. */

const PAST = '2020-01-01T00:00:00.000Z';

/** Lets a credit bucket expire. */
export async function expireBucket(store: Store, id: number): Promise<void> {
  await store.write((db) => db.updateTable('credit_buckets').set({ expires_at: PAST }).where('id', '=', id).execute());
}

/** Lets the access to a group expire that an order gave. */
export async function expireAccess(store: Store, orderId: number, groupId: number): Promise<void> {
  await store.write(async (db) => {
    await db.updateTable('entitlements').set({ expires_at: PAST }).where('order_id', '=', orderId).execute();
    await db.updateTable('access_group_members').set({ until: PAST }).where('group_id', '=', groupId).execute();
  });
}

/** Lets a buyer's download link expire at this time. */
export async function expireDownload(store: Store, token: string, expires_at: string): Promise<void> {
  await store.write((db) => db.updateTable('downloads').set({ expires_at }).where('token', '=', token).execute());
}

/** Makes all notifications unread for everybody; the API cannot do this. */
export async function forgetReads(store: Store): Promise<void> {
  await store.write((db) => sql`DELETE FROM notification_reads`.execute(db));
}

/** Lets an inquiry have come in at this time; the API gives it the present one. */
export async function receiveAt(store: Store, id: number, created_at: string): Promise<void> {
  await store.write((db) => db.updateTable('inquiries').set({ created_at, updated_at: created_at }).where('id', '=', id).execute());
}

/** Lets the minute of a gesture be over. */
export async function passMinuteOfGesture(store: Store, gestureId: number): Promise<void> {
  const expires_at = new Date(Date.now() - 1).toISOString();
  await store.write((db) => db.updateTable('gestures').set({ expires_at }).where('id', '=', gestureId).execute());
}
