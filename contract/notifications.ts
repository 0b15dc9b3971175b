import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { Id, idSet, Timestamp, text } from './values.ts';

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/**
 * Every type of notification, with its severity (spec NT3). Who writes a message to the admins, a task or an
 * admin, may give it another one.
 */
export const notificationTypes = {
  smtp_error: 'error',
  low_stock: 'warning',
  personal_access_token_created: 'info',
  passkey_added: 'info',
  passkey_copied: 'error',
  recovery_code_used: 'warning',
  ai_task_run_failed: 'error',
  ai_task_run_interrupted: 'warning',
  ai_task_run_ended: 'warning',
  ai_task_run_stuck: 'warning',
  ai_task_not_started: 'warning',
  ai_task_paused: 'error',
  ai_task_prompt: 'warning',
  ai_task_version_pending: 'info',
  ai_task_version_commented: 'info',
  ai_task_changes_requested: 'warning',
  ai_task_plan_pending: 'info',
  ai_task_plan_declined: 'warning',
  policy_change_proposed: 'warning',
  label_refund_failed: 'error',
  webhook_endpoint_disabled: 'warning',
  storage_nearly_full: 'warning',
  mentioned: 'info',
  task_message: 'info',
  admin_message: 'info',
} as const satisfies Record<string, Severity>;
export type NotificationType = keyof typeof notificationTypes;

export const Notification = z
  .object({
    id: Id,
    type: z.string(),
    severity: z.enum(severities),
    title: z.string(),
    message: z.string(),
    /** A path of the console, or an https address. */
    link: z.string().nullable(),
    metadata: JsonObject.nullable(),
    read: z.boolean(),
    count: z
      .int()
      .meta({ description: 'How many of its kind about the same task this one stands for; all but the latest are not shown any more' }),
    created_at: Timestamp.meta({ description: 'When it was told; of several, the latest' }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

const LINK_MAX = 2000;

/**
 * A path of the console such as `/orders?open=12`, or an https address. Browsers take `//host` and `/\\host` for other sites, and
 * `https:host` for a host or a path.
 */
function isLink(value: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(value)) return false;
  if (value.startsWith('/')) return !value.startsWith('//');
  const url = /^https:\/\/[^/]/i.test(value) ? URL.parse(value) : null;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

const OneLine = text({ min: 1, max: 200, trim: true }).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
  message: 'must be one line, without control characters',
  params: { code: 'invalid_value' },
});

/** A message to the admins; `admins` names those who see it. */
export const NewNotification = z
  .object({
    title: OneLine,
    body: text({ min: 1, max: 5000, trim: true }),
    link: text({ max: LINK_MAX })
      .refine(isLink, {
        message: 'must be a path of the console such as /orders?open=12, or an address that begins with https://',
        params: { code: 'invalid_value' },
      })
      .nullable()
      .default(null),
    admins: idSet(100)
      .refine((ids) => ids.length > 0, {
        message: 'must name at least one admin; without it all admins see the notification',
        params: { code: 'blank' },
      })
      .nullable()
      .default(null)
      .meta({ description: 'Ids of the admins who see it; null: all' }),
    severity: z.enum(severities).default('info'),
  })
  .meta({ id: 'NewNotification' });
export type NewNotification = z.infer<typeof NewNotification>;

/** So many notifications a run and all runs that resume it may write. */
export const RUN_NOTIFICATIONS_MAX = 100;

export const notificationsEndpoints = endpointsOf(
  {
    id: 'notifications.list',
    method: 'GET',
    path: '/notifications',
    summary: 'List notifications, newest first, with the number of unread ones',
    permission: null,
    taskPermission: 'admin_api.notifications.read',
    query: z.object({ limit: z.int().min(1).max(100).default(20), offset: z.int().min(0).default(0) }),
    response: z.object({ unread_count: z.int(), notifications: z.array(Notification) }).meta({ id: 'NotificationPage' }),
  },
  {
    id: 'notifications.create',
    method: 'POST',
    path: '/notifications',
    undo: { irreversible: 'Admins may have read it. Create another notification that corrects it.' },
    summary: `Write a notification to all admins or to some; a run and those that resume it may write ${RUN_NOTIFICATIONS_MAX}`,
    permission: 'admin_api.notifications.write',
    body: NewNotification,
    status: 201,
    response: z.object({ id: Id }),
    refusals: ['admin_not_found', 'notification_limit_reached'],
  },
  {
    id: 'notifications.mark_read',
    method: 'PATCH',
    path: '/notifications/{id}/read',
    undo: 'restore',
    summary: 'Mark a notification as read for the caller',
    permission: null,
    taskPermission: 'admin_api.notifications.write',
    record: 'notification',
    query: z.object({
      count: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'How many it stood for when the caller read it; if it stands for more now, it is not marked' }),
    }),
    status: 204,
    refusals: ['notification_grew'],
  },
  {
    id: 'notifications.mark_all_read',
    method: 'POST',
    path: '/notifications/read-all',
    undo: 'restore',
    summary: 'Mark all notifications as read for the caller',
    permission: null,
    taskPermission: 'admin_api.notifications.write',
    response: z.object({ marked: z.int() }),
  },
);
