import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import type { Permission } from './permissions.ts';

/**
 * The events about which the shop can mail its admins, with the permission that an admin needs to be told (spec PR1). `unlessSet`: of
 * which events an admin who has not chosen is told: of all, or of those of versions that the admin wrote.
 */
export const eventTypes = {
  order_placed: { label: 'New order', permission: 'admin_api.orders.read', unlessSet: 'all' },
  inquiry_received: { label: 'New inquiry', permission: 'admin_api.inquiries.read', unlessSet: 'all' },
  task_run_failed: { label: 'A run of a task failed', permission: 'admin_api.ai_tasks.read', unlessSet: 'own' },
  task_run_interrupted: { label: 'A run of a task was interrupted', permission: 'admin_api.ai_tasks.read', unlessSet: 'own' },
  task_run_stuck: { label: 'A run of a task may be stuck', permission: 'admin_api.ai_tasks.read', unlessSet: 'own' },
  task_paused: { label: 'A task was paused in the trial of its new version', permission: 'admin_api.ai_tasks.read', unlessSet: 'own' },
  task_missed: { label: 'A task did not start when it should have', permission: 'admin_api.ai_tasks.read', unlessSet: 'own' },
} as const satisfies Record<string, { label: string; permission: Permission; unlessSet: 'all' | 'own' }>;
export type EventType = keyof typeof eventTypes;

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}

export const NotificationPreference = z
  .object({
    event_type: z.string(),
    label: z.string(),
    email_enabled: z.boolean(),
    scope: z.enum(['all', 'own']).meta({
      description: '`own`: the caller has not chosen yet, and gets mails only about tasks whose version the caller wrote',
    }),
    unless_set: z.enum(['all', 'own']).meta({ description: '`scope` of who has not chosen; DELETE leads back to it' }),
  })
  .meta({ id: 'NotificationPreference' });
export type NotificationPreference = z.infer<typeof NotificationPreference>;

export const preferencesEndpoints = endpointsOf(
  {
    id: 'preferences.list',
    method: 'GET',
    path: '/me/notification-preferences',
    summary: "List the caller's e-mail preferences, for the events that the caller may see",
    permission: null,
    taskPermission: null,
    response: z.array(NotificationPreference),
  },
  {
    id: 'preferences.update',
    method: 'PUT',
    path: '/me/notification-preferences/{event_type}',
    summary: "Set one of the caller's e-mail preferences",
    permission: null,
    taskPermission: null,
    record: 'notification_event_type',
    body: z.object({ email_enabled: z.boolean() }),
    response: z.object({ email_enabled: z.boolean() }),
    refusals: ['forbidden'],
  },
  {
    id: 'preferences.reset',
    method: 'DELETE',
    path: '/me/notification-preferences/{event_type}',
    summary: "Forget what the caller has chosen about one event's mails",
    permission: null,
    taskPermission: null,
    record: 'notification_event_type',
    status: 204,
    refusals: ['forbidden'],
  },
);
