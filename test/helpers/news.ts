import type { Notification, NotificationType } from '../../contract/notifications.ts';
import type { Shop } from './builders.ts';

/** The notifications of one type among the last hundred, oldest first. */
export async function newsOf({ client }: Shop, type: NotificationType): Promise<Notification[]> {
  const { notifications } = await client.notifications.list({ limit: 100 });
  return notifications.filter((one) => one.type === type).reverse();
}
