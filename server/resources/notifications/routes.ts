import type { Handlers } from '../../http/handlers.ts';
import * as notifications from './domain.ts';

export const notificationsRoutes: Handlers = {
  'notifications.list': (ctx, { query }) => notifications.listNotifications(ctx, query),
  'notifications.mark_read': (ctx, { params }) => notifications.markRead(ctx, params.id),
  'notifications.mark_all_read': (ctx) => notifications.markAllRead(ctx),
};
