import { type Notification, type NotificationType, notificationTypes } from '../../../contract/notifications.ts';
import type { Db } from '../../db/open.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import type { Retention } from '../../verbs/retention.ts';
import * as store from './store.ts';

export const recordVersions = {
  // A notification changes only when another one joins it; whether it was read is stored for each admin separately.
  notification: async (db, { id }, actor) =>
    (await store.hasVisible(db, viewerOf({ actor }), Number(id))) ? store.selectCount(db, Number(id)) : null,
} satisfies RecordVersions;

export const retention: Retention = { days: ({ notification_days }) => notification_days, deleteBatch: store.deleteOld };

type NewNotification = {
  type: NotificationType;
  title: string;
  message: string;
  metadata: Record<string, unknown> | null;
  /** Names the kind of news and the task: it joins the latest of the same key that nobody has read, if that is at most an hour old. */
  foldKey?: string;
};

const FOLD_MS = 3_600_000;

/** Writes notifications for all admins, in the transaction of what they tell. */
export async function notify(ctx: Pick<Ctx, 'db' | 'now'>, all: readonly NewNotification[]): Promise<void> {
  const single: store.NewNotification[] = [];
  for (const { foldKey, ...one } of all) {
    const row = { ...one, severity: notificationTypes[one.type], link: null, created_at: ctx.now };
    if (foldKey === undefined) single.push(row);
    else await foldIn(ctx, row, foldKey);
  }
  if (single.length > 0) await store.insertNotifications(ctx.db, single);
}

/** Writes a notification for some admins; those who are gone are left out. */
export async function tellAdmins(
  ctx: Pick<Ctx, 'db' | 'now'>,
  admins: readonly number[],
  one: Omit<NewNotification, 'foldKey'> & { link: string },
): Promise<void> {
  if (admins.length === 0) return;
  const known = await store.selectAdminIds(ctx.db, admins);
  if (known.length > 0)
    await store.insertNotification(ctx.db, { ...one, severity: notificationTypes[one.type], created_at: ctx.now }, known);
}

/** One statement joins or inserts it, so of several transactions each is counted; they wait for one another. */
async function foldIn({ db, now }: Pick<Ctx, 'db' | 'now'>, row: store.NewNotification, foldKey: string): Promise<void> {
  await store.endOldFold(db, foldKey, new Date(Date.parse(now) - FOLD_MS).toISOString());
  await store.joinOrInsert(db, row, foldKey);
}

/** Lists notifications, newest first, with the caller's own read marks. `unread_count` counts all unread ones (spec NT1, C12). */
export async function listNotifications(
  ctx: Ctx,
  page: { limit: number; offset: number },
): Promise<{ unread_count: number; notifications: Notification[] }> {
  const viewer = viewerOf(ctx);
  return {
    unread_count: await store.countUnread(ctx.db, viewer),
    notifications: await store.selectNotifications(ctx.db, viewer, page),
  };
}

/**
 * A run sees only what all admins see, because its log, which others may read, could show the rest. A notification that the caller does not
 * see does not exist for the caller.
 */
function viewerOf(ctx: Pick<Ctx, 'actor'>): store.Viewer {
  return { adminId: actingAdmin(ctx).adminId, seesOwn: ctx.actor.type === 'admin' };
}

/** `seen`: how many it stood for when the caller read it. What joined it since was not read, so then nothing is marked. */
export async function markRead(ctx: Ctx, id: number, seen?: number): Promise<undefined> {
  const viewer = viewerOf(ctx);
  if (!(await store.hasVisible(ctx.db, viewer, id))) {
    // The same words as for an id that was never given.
    throw new Refusal('not_found', 'There is no notification at this path.');
  }
  // It cannot grow after this, so the count is what it stays.
  await store.endFold(ctx.db, id);
  const count = await store.selectCount(ctx.db, id);
  if (seen !== undefined && count !== null && count > seen) {
    throw new Refusal('notification_grew', `The notification stands for ${count} events now, and ${seen} were read: read it again.`, {
      extra: { count },
    });
  }
  const marked = await store.insertRead(ctx.db, viewer.adminId, id);
  ctx.audit({
    resource: { type: 'notification', id },
    changes: marked ? { read: [false, true] } : {},
    summary: `Notification ${id}: read`,
  });
}

export async function markAllRead(ctx: Ctx): Promise<{ marked: number }> {
  const marked = await store.insertAllRead(ctx.db, viewerOf(ctx));
  ctx.audit({
    resource: { type: 'notification', id: null },
    changes: marked > 0 ? { unread: [marked, 0] } : {},
    summary: `${marked} notifications read`,
    detail: { marked },
  });
  return { marked };
}

/** The admins who see each of these notifications; those that all admins see are left out. */
export async function audiencesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  if (ids.length === 0) return new Map();
  const audiences = new Map<number, Set<number>>();
  for (const { id, admin_id } of await store.selectAudiences(db, ids)) {
    const admins = audiences.get(id) ?? new Set<number>();
    if (admin_id !== null) admins.add(admin_id);
    audiences.set(id, admins);
  }
  return audiences;
}

/** Whether a notification of this type was written after `since`. */
export { hasNotificationSince as wasNotifiedSince } from './store.ts';
