import { type NotificationType, notificationTypes } from '../../../contract/notifications.ts';
import type { Ctx } from '../../context.ts';
import * as store from './store.ts';

type News = { type: NotificationType; title: string; message: string; metadata: Record<string, unknown> | null };

/** Writes a notification for every admin, in the transaction of what it tells. */
export async function notify(ctx: Pick<Ctx, 'db' | 'now'>, news: readonly News[]): Promise<void> {
  if (news.length === 0) return;
  await store.insertNotifications(
    ctx.db,
    news.map((one) => ({ ...one, severity: notificationTypes[one.type], created_at: ctx.now })),
  );
}
