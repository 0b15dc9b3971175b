import { sql } from 'kysely';
import { Notification } from '../../../contract/notifications.ts';
import type { Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow } from '../../db/tables.ts';

export type NewNotification = {
  type: string;
  severity: string;
  title: string;
  message: string;
  link: string | null;
  metadata: Record<string, unknown> | null;
  created_at: string;
};

/** Inserts notifications for all admins. */
export async function insertNotifications(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  await db.insertInto('notifications').values(notifications.map(columnsOf)).execute();
}

/** Lets no further notification join the one with this key if its latest was told at this time or earlier. */
export async function endOldFold(db: Db, foldKey: string, until: string): Promise<void> {
  await db.updateTable('notifications').set({ fold_key: null }).where('fold_key', '=', foldKey).where('created_at', '<=', until).execute();
}

/** Inserts a notification for all admins; if one with this key can grow, that one shows this news instead, and counts it. */
export async function joinOrInsert(db: Db, notification: NewNotification, foldKey: string): Promise<void> {
  const row = columnsOf(notification);
  await db
    .insertInto('notifications')
    .values({ ...row, fold_key: foldKey })
    .onConflict((conflict) =>
      conflict
        .column('fold_key')
        .where('fold_key', 'is not', null)
        .doUpdateSet((eb) => ({ ...row, count: eb('notifications.count', '+', 1) })),
    )
    .execute();
}

/** Inserts one notification and returns its id. `admins`: those who see it; null: all. */
export async function insertNotification(db: Db, notification: NewNotification, admins: readonly number[] | null): Promise<number> {
  const row = { ...columnsOf(notification), for_all: admins === null ? 1 : 0 };
  const { id } = await db.insertInto('notifications').values(row).returning('id').executeTakeFirstOrThrow();
  if (admins !== null) {
    await db
      .insertInto('notification_admins')
      .values(admins.map((admin_id) => ({ admin_id, notification_id: id })))
      .execute();
  }
  return id;
}

function columnsOf({ metadata, ...notification }: NewNotification): NewRow<'notifications'> {
  return { ...notification, metadata: metadata === null ? null : JSON.stringify(metadata) };
}

/** Those of these ids that are ids of admins. */
export async function selectAdminIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('admins').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

/** Counts a notification of a run and returns how many its lineage has written. */
export async function countOfLineage(db: Db, lineageId: string): Promise<number> {
  const { rows } = await sql<{ notifications: number }>`
    UPDATE lineages SET notifications = notifications + 1 WHERE id = ${lineageId} RETURNING notifications`.execute(db);
  return rows[0]?.notifications ?? 0;
}

/** Who looks at notifications. `seesOwn`: the admin's own are shown too, besides those for all admins. */
export type Viewer = { adminId: number; seesOwn: boolean };

/** Whether the viewer may see the notification `n`. */
function isVisible({ adminId, seesOwn }: Viewer) {
  if (!seesOwn) return sql<boolean>`n.for_all = 1`;
  return sql<boolean>`(n.for_all = 1 OR EXISTS (
    SELECT 1 FROM notification_admins a WHERE a.notification_id = n.id AND a.admin_id = ${adminId}))`;
}

export async function selectCount(db: Db, id: number): Promise<number | null> {
  const row = await db.selectFrom('notifications').select('count').where('id', '=', id).executeTakeFirst();
  return row?.count ?? null;
}

export async function hasVisible(db: Db, viewer: Viewer, id: number): Promise<boolean> {
  const row = await db.selectFrom('notifications as n').select('n.id').where('n.id', '=', id).where(isVisible(viewer)).executeTakeFirst();
  return row !== undefined;
}

/**
 * Each read mark is a row for one notification that the admin sees, so the difference of the counts is the number of unread ones. Those
 * for some admins are few, and an index of their own counts them.
 */
export async function countUnread(db: Db, { adminId, seesOwn }: Viewer): Promise<number> {
  const own = seesOwn ? sql`+ (SELECT count(*) FROM notification_admins WHERE admin_id = ${adminId})` : sql``;
  const ofAll = sql`AND EXISTS (SELECT 1 FROM notifications n WHERE n.id = r.notification_id AND n.for_all = 1)`;
  const { rows } = await sql<{ unread: number }>`
    SELECT (SELECT count(*) FROM notifications) - (SELECT count(*) FROM notifications WHERE for_all = 0) ${own}
      - (SELECT count(*) FROM notification_reads r WHERE r.admin_id = ${adminId} ${seesOwn ? sql`` : ofAll}) AS unread`.execute(db);
  return rows[0]?.unread ?? 0;
}

/** For each of these notifications that only some admins see: one row for each of those admins; for one that nobody sees, none. */
export async function selectAudiences(db: Db, ids: readonly number[]): Promise<{ id: number; admin_id: number | null }[]> {
  return db
    .selectFrom('notifications as n')
    .leftJoin('notification_admins as a', 'a.notification_id', 'n.id')
    .select(['n.id', 'a.admin_id'])
    .where('n.id', 'in', ids)
    .where('n.for_all', '=', 0)
    .execute();
}

export async function selectNotifications(
  db: Db,
  viewer: Viewer,
  { limit, offset }: { limit: number; offset: number },
): Promise<Notification[]> {
  const { adminId } = viewer;
  const rows = await db
    .selectFrom('notifications as n')
    .leftJoin('notification_reads as r', (join) => join.onRef('r.notification_id', '=', 'n.id').on('r.admin_id', '=', adminId))
    .selectAll('n')
    .select('r.admin_id as read_by')
    .where(isVisible(viewer))
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ read_by, metadata, for_all: _, fold_key: __, ...row }) =>
    Notification.parse({ ...row, metadata: metadata === null ? null : JSON.parse(metadata), read: read_by !== null }),
  );
}

/** Lets what comes after a notification be one of its own: it cannot grow any more. */
export async function endFold(db: Db, id: number): Promise<void> {
  await db.updateTable('notifications').set({ fold_key: null }).where('id', '=', id).where('fold_key', 'is not', null).execute();
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

/** Marks all notifications that the viewer sees as read; returns how many were unread. Those that can grow are for all admins. */
export async function insertAllRead(db: Db, viewer: Viewer): Promise<number> {
  const { adminId } = viewer;
  await db.updateTable('notifications').set({ fold_key: null }).where('fold_key', 'is not', null).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notification_reads')
    .columns(['admin_id', 'notification_id'])
    .expression((eb) =>
      eb
        .selectFrom('notifications as n')
        .select([sql<number>`CAST(${adminId} AS INTEGER)`.as('admin_id'), 'n.id as notification_id'])
        .where(isVisible(viewer))
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
