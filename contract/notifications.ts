import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { Id, Timestamp } from './values.ts';

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** Every type of notification that the server writes, with its severity (API document, Events; decisions.md NT3). */
export const notificationTypes = {
  smtp_error: 'error',
  low_stock: 'warning',
  personal_access_token_created: 'info',
  ai_task_run_failed: 'error',
  ai_task_run_interrupted: 'warning',
  ai_task_run_ended: 'warning',
  ai_task_not_started: 'warning',
  ai_task_prompt: 'warning',
  ai_task_version_pending: 'info',
  label_refund_failed: 'error',
  webhook_endpoint_disabled: 'warning',
  storage_nearly_full: 'warning',
} as const satisfies Record<string, Severity>;
export type NotificationType = keyof typeof notificationTypes;

export const Notification = z
  .object({
    id: Id,
    type: z.string(),
    severity: z.enum(severities),
    title: z.string(),
    message: z.string(),
    metadata: JsonObject.nullable(),
    read: z.boolean(),
    created_at: Timestamp,
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

export const notificationsEndpoints = endpointsOf(
  {
    id: 'notifications.list',
    method: 'GET',
    path: '/notifications',
    summary: 'List notifications, newest first, with the number of unread ones',
    permission: null,
    taskPermission: 'admin_api.notifications.read',
    query: z.object({ limit: z.int().min(1).max(100).default(20), offset: z.int().min(0).default(0) }),
    status: 200,
    response: z.object({ unread_count: z.int(), notifications: z.array(Notification) }).meta({ id: 'NotificationPage' }),
  },
  {
    id: 'notifications.mark_read',
    method: 'PATCH',
    path: '/notifications/{id}/read',
    summary: 'Mark a notification as read for the caller',
    permission: null,
    taskPermission: 'admin_api.notifications.write',
    record: 'notification',
    status: 204,
  },
  {
    id: 'notifications.mark_all_read',
    method: 'POST',
    path: '/notifications/read-all',
    summary: 'Mark all notifications as read for the caller',
    permission: null,
    taskPermission: 'admin_api.notifications.write',
    status: 200,
    response: z.object({ marked: z.int() }),
  },
);
