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
