import { type EventType, eventTypes, isEventType, type NotificationPreference } from '../../../contract/preferences.ts';
import type { Db } from '../../db/open.ts';
import { actingAdmin, type Ctx, may } from '../../verbs/context.ts';
import { notFound, refusePermission } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { permissionsOf } from '../tokens/domain.ts';
import * as store from './store.ts';

export const recordVersions = {
  // Event types are part of the product and never change.
  notification_event_type: async (_, { event_type }) => (isEventType(String(event_type)) ? 1 : null),
} satisfies RecordVersions;

/**
 * Lists the event types that the caller may see. A preference that was never set is on, of tasks for one's own only (spec PR1).
 */
export async function listPreferences(ctx: Ctx): Promise<NotificationPreference[]> {
  const chosen = await store.selectChosen(ctx.db, actingAdmin(ctx).adminId);
  return Object.entries(eventTypes)
    .filter(([, { permission }]) => may(ctx.actor, permission))
    .map(([event_type, { label, unlessSet }]) => ({
      event_type,
      label,
      email_enabled: chosen.get(event_type) ?? true,
      scope: chosen.has(event_type) ? 'all' : unlessSet,
      unless_set: unlessSet,
    }));
}

export async function setPreference(ctx: Ctx, eventType: string, email_enabled: boolean): Promise<{ email_enabled: boolean }> {
  const { adminId, before } = await chosenBefore(ctx, eventType);
  await store.upsertPreference(ctx.db, { admin_id: adminId, event_type: eventType, email_enabled: email_enabled ? 1 : 0 });
  ctx.audit({
    resource: { type: 'notification_preference', id: adminId },
    changes: before === email_enabled ? {} : { [eventType]: [before, email_enabled] },
    summary: `Mails about ${eventType}: ${email_enabled ? 'on' : 'off'}`,
  });
  return { email_enabled };
}

/** Forgets the caller's choice, so that the event is mailed as to somebody who never chose. */
export async function resetPreference(ctx: Ctx, eventType: string): Promise<undefined> {
  const { adminId, before } = await chosenBefore(ctx, eventType);
  await store.deletePreference(ctx.db, adminId, eventType);
  ctx.audit({
    resource: { type: 'notification_preference', id: adminId },
    changes: before === null ? {} : { [eventType]: [before, null] },
    summary: `Mails about ${eventType}: as if never chosen`,
  });
}

async function chosenBefore(ctx: Ctx, eventType: string): Promise<{ adminId: number; before: boolean | null }> {
  if (!isEventType(eventType)) throw notFound('event type', eventType);
  const { permission } = eventTypes[eventType];
  if (!may(ctx.actor, permission)) {
    throw refusePermission('forbidden', [permission], `This needs the permission ${permission}.`);
  }
  const { adminId } = actingAdmin(ctx);
  return { adminId, before: (await store.selectChosen(ctx.db, adminId)).get(eventType) ?? null };
}

/** The address of the first owner until it is replaced by a real one. */
const PLACEHOLDER = /@localhost$/i;

/** Active admins who may see such an event and want its mails. `authorId`: who wrote what the event is about. */
export function adminsToMail({ db }: Pick<Ctx, 'db'>, event: EventType, authorId: number | null = null): Promise<AdminToMail[]> {
  return selectMailable(db, event, eventTypes[event].unlessSet === 'all' ? 'all' : authorId);
}

/** Active admins who may see such an event and have not switched its mails off. */
export function adminsStillToMail({ db }: Pick<Ctx, 'db'>, event: EventType): Promise<AdminToMail[]> {
  return selectMailable(db, event, 'all');
}

type AdminToMail = { id: number; name: string; email: string };

async function selectMailable(db: Db, event: EventType, unlessSet: 'all' | number | null): Promise<AdminToMail[]> {
  const admins = await store.selectWilling(db, event, unlessSet);
  const { permission } = eventTypes[event];
  return admins.filter((admin) => !PLACEHOLDER.test(admin.email) && may({ type: 'admin', permissions: permissionsOf(admin) }, permission));
}
