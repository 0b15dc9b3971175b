import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import type { Permission } from './permissions.ts';

/** The events about which the shop can mail its admins, with the permission that an admin needs to be told (decisions.md PR1). */
export const eventTypes = {
  order_placed: { label: 'New order', permission: 'admin_api.orders.read' },
  inquiry_received: { label: 'New inquiry', permission: 'admin_api.inquiries.read' },
} as const satisfies Record<string, { label: string; permission: Permission }>;
export type EventType = keyof typeof eventTypes;

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}

export const NotificationPreference = z
  .object({ event_type: z.string(), label: z.string(), email_enabled: z.boolean() })
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
    status: 200,
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
    status: 200,
    response: z.object({ email_enabled: z.boolean() }),
    refusals: ['forbidden'],
  },
);
