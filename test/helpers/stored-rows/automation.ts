import type { Store } from '../../../server/db/open.ts';

/** Schedules whose time has come, and schedules and triggers that are broken. */

/** The time that is due was so many ms ago; the API plans times to come. */
export async function letBeDueAgo(store: Store, scheduleIds: readonly number[], agoMs: number): Promise<void> {
  const dueMs = Date.now() - agoMs;
  const values = { next_at: new Date(dueMs).toISOString(), due_ms: dueMs };
  await store.write((db) =>
    db
      .updateTable('schedules')
      .set((eb) => ({ ...values, row_version: eb('row_version', '+', 1) }))
      .where('id', 'in', scheduleIds)
      .execute(),
  );
}

/** So many times wait for an open run of each of the schedules to end, as after years of a rhythm. */
export async function storeWaitingTimes(store: Store, scheduleIds: readonly number[], queued: number): Promise<void> {
  await store.write((db) =>
    db
      .updateTable('schedules')
      .set((eb) => ({ queued, row_version: eb('row_version', '+', 1) }))
      .where('id', 'in', scheduleIds)
      .execute(),
  );
}

/** No server looks after what waits in the schedule before this time; the API has no such pause. */
export async function holdQueue(store: Store, scheduleId: number, untilMs: number): Promise<void> {
  await store.write((db) => db.updateTable('schedules').set({ queue_due_ms: untilMs }).where('id', '=', scheduleId).execute());
}

/** A time zone that no calendar knows any more: the API takes none of these. */
export async function breakSchedule(store: Store, scheduleId: number): Promise<void> {
  await store.write((db) => db.updateTable('schedules').set({ timezone: 'Moon/Crater' }).where('id', '=', scheduleId).execute());
}

/** Parameters that are no JSON: the API stores none of these. */
export async function breakTrigger(store: Store, triggerId: number): Promise<void> {
  await store.write((db) => db.updateTable('triggers').set({ parameters: 'broken' }).where('id', '=', triggerId).execute());
}

/** The trigger is gone, with its events: the API cannot show, and so not delete, one that is broken. */
export async function removeBrokenTrigger(store: Store, triggerId: number): Promise<void> {
  await store.write((db) => db.deleteFrom('triggers').where('id', '=', triggerId).execute());
}

/** An event that waits for a trigger that was switched off meanwhile: a server opens within a second what waits before. */
export async function storeEventThatWaits(store: Store, triggerId: number, orderId: number): Promise<void> {
  const data = JSON.stringify({ order_id: orderId, status: 'shipped', previous_status: 'pending' });
  await store.write(async (db) => {
    const event = { type: 'order.status_changed', data, at: '2026-01-01T00:00:00.000Z', lineage_id: null };
    const { id } = await db.insertInto('domain_events').values(event).returning('id').executeTakeFirstOrThrow();
    await db.updateTable('triggers').set({ enabled: 0 }).where('id', '=', triggerId).execute();
    await db.insertInto('trigger_deliveries').values({ trigger_id: triggerId, event_id: id, due_ms: 0 }).execute();
  });
}
