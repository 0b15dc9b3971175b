import { sql } from 'kysely';
import { Notification } from '../../../contract/notifications.ts';
import { deleteOldest } from '../../db/delete-oldest.ts';
import type { Db } from '../../db/open.ts';

type NewNotification = {
  type: string;
  severity: string;
  title: string;
  message: string;
  metadata: Record<string, unknown> | null;
  created_at: string;
};

export async function insertNotifications(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  await db
    .insertInto('notifications')
    .values(notifications.map((one) => ({ ...one, metadata: one.metadata === null ? null : JSON.stringify(one.metadata) })))
    .execute();
}

export async function hasNotification(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('notifications').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Each read mark is a row for one existing notification, so the difference of the counts is the number of unread ones. */
export async function countUnread(db: Db, adminId: number): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT (SELECT count(*) FROM notifications) - (SELECT count(*) FROM notification_reads WHERE admin_id = ${adminId}) AS unread`.execute(
    db,
  );
  return rows[0]?.unread ?? 0;
}

export async function selectNotifications(
  db: Db,
  adminId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Notification[]> {
  const rows = await db
    .selectFrom('notifications as n')
    .leftJoin('notification_reads as r', (join) => join.onRef('r.notification_id', '=', 'n.id').on('r.admin_id', '=', adminId))
    .selectAll('n')
    .select('r.admin_id as read_by')
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ read_by, metadata, ...row }) =>
    Notification.parse({ ...row, metadata: metadata === null ? null : JSON.parse(metadata), read: read_by !== null }),
  );
}

/** Marks a notification as read; returns false if it was read before. */
export async function insertRead(db: Db, adminId: number, notificationId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notification_reads')
    .values({ admin_id: adminId, notification_id: notificationId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Marks all notifications as read; returns how many were unread. */
export async function insertAllRead(db: Db, adminId: number): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notification_reads')
    .columns(['admin_id', 'notification_id'])
    .expression((eb) =>
      eb
        .selectFrom('notifications as n')
        .select([sql<number>`CAST(${adminId} AS INTEGER)`.as('admin_id'), 'n.id as notification_id'])
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('notification_reads as r')
                .select('r.admin_id')
                .where('r.admin_id', '=', adminId)
                .whereRef('r.notification_id', '=', 'n.id'),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n);
}

export async function hasNotificationSince(db: Db, type: string, since: string): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('type', '=', type)
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const deleteOld = deleteOldest('notifications', 'created_at');
