import { type Routes, read, write } from '../../verbs/route.ts';
import * as notifications from './domain.ts';
import { writeMessage } from './messages.ts';

export const notificationsRoutes = {
  'notifications.list': read((ctx, { query }) => notifications.listNotifications(ctx, query)),
  'notifications.create': write((ctx, { body }) => writeMessage(ctx, body)),
  'notifications.mark_read': write((ctx, { params, query }) => notifications.markRead(ctx, params.id, query.count)),
  'notifications.mark_all_read': write((ctx) => notifications.markAllRead(ctx)),
} satisfies Partial<Routes>;
