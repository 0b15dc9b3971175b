import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** Schedules that are due, and schedules and triggers that are broken. */

/** Makes schedules due since `agoMs` milliseconds ago. Through the API, the next time of a schedule is always in the future. */
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

/** Lets each schedule have so many queued times, which wait for its open run to end. A real schedule would need years for it. */
export async function storeWaitingTimes(store: Store, scheduleIds: readonly number[], queued: number): Promise<void> {
  await store.write((db) =>
    db
      .updateTable('schedules')
      .set((eb) => ({ queued, row_version: eb('row_version', '+', 1) }))
      .where('id', 'in', scheduleIds)
      .execute(),
  );
}

/** Keeps servers from opening the schedule's queued runs before this time; the API has no such pause. */
export async function holdQueue(store: Store, scheduleId: number, untilMs: number): Promise<void> {
  await store.write((db) => db.updateTable('schedules').set({ queue_due_ms: untilMs }).where('id', '=', scheduleId).execute());
}

/** Gives the schedule a time zone that does not exist; the API refuses such a time zone. */
export async function breakSchedule(store: Store, scheduleId: number): Promise<void> {
  await store.write((db) => db.updateTable('schedules').set({ timezone: 'Moon/Crater' }).where('id', '=', scheduleId).execute());
}

/** Gives the trigger parameters that are not JSON; the API refuses them. */
export async function breakTrigger(store: Store, triggerId: number): Promise<void> {
  await store.write((db) => db.updateTable('triggers').set({ parameters: 'broken' }).where('id', '=', triggerId).execute());
}

/** Deletes the trigger with its events; the API can neither show nor delete a broken trigger. */
export async function removeBrokenTrigger(store: Store, triggerId: number): Promise<void> {
  await store.write((db) => db.deleteFrom('triggers').where('id', '=', triggerId).execute());
}

/** Stores events of orders that a trigger gathers. Through the API, the server would gather each at once. */
export async function storeGatheredEvents(store: Store, triggerId: number, orderIds: readonly number[]): Promise<void> {
  await store.write(async (db) => {
    for (const orderId of orderIds) {
      const data = JSON.stringify({ order_id: orderId, status: 'shipped', previous_status: 'pending' });
      const event = { type: 'order.status_changed', data, at: new Date().toISOString(), lineage_id: null };
      const { id } = await db.insertInto('domain_events').values(event).returning('id').executeTakeFirstOrThrow();
      await db.insertInto('trigger_deliveries').values({ trigger_id: triggerId, event_id: id, due_ms: 0 }).execute();
    }
  });
}

/** Lets the time of a run's sleep come. */
export async function letSleepEnd(store: Store, runId: number): Promise<void> {
  await store.write((db) =>
    db.updateTable('run_prompts').set({ due_ms: Date.now() }).where('asked_by_run_id', '=', runId).where('awaits', '=', 'sleep').execute(),
  );
}

/** Stores an event that waits for a switched-off trigger. Through the API, a server would take the event before the switch. */
export async function storeEventThatWaits(store: Store, triggerId: number, orderId: number): Promise<void> {
  const data = JSON.stringify({ order_id: orderId, status: 'shipped', previous_status: 'pending' });
  await store.write(async (db) => {
    const event = { type: 'order.status_changed', data, at: '2026-01-01T00:00:00.000Z', lineage_id: null };
    const { id } = await db.insertInto('domain_events').values(event).returning('id').executeTakeFirstOrThrow();
    await db.updateTable('triggers').set({ enabled: 0 }).where('id', '=', triggerId).execute();
    await db.insertInto('trigger_deliveries').values({ trigger_id: triggerId, event_id: id, due_ms: 0 }).execute();
  });
}

/** Makes the calls of a hook that are remembered older than the time for which they are; the API has no call of yesterday. */
export async function letCallsBeOld(store: Store, hookId: number): Promise<void> {
  const at = new Date(Date.now() - 24 * 3_600_000 - 1000).toISOString();
  await store.write((db) => db.updateTable('hook_calls').set({ at }).where('hook_id', '=', hookId).execute());
}

/** Lets the chain of runs that began with this lineage have started so many runs. */
export async function letChainHaveStarted(store: Store, rootId: string, starts: number): Promise<void> {
  await store.write((db) => db.updateTable('run_chains').set({ starts }).where('root_id', '=', rootId).execute());
}

/** Stores so many copies of a start that waits, each of another key; through the API it would take as many events. */
export async function copyStart(store: Store, startId: number, copies: number): Promise<void> {
  const same = sql.raw('kind, starter_id, trigger_id, hook_id, task_id, how, rate_key, options, gathering, bytes, due_ms, reads_files');
  await store.write((db) =>
    sql`INSERT INTO gathered_starts (${same}, gather_key, items, first_ms, last_ms)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies})
      SELECT ${same}, 'copy ' || n, 1, first_ms, last_ms FROM gathered_starts, numbers WHERE id = ${startId}`.execute(db),
  );
}

/** Lets so much time pass for starts that wait, for the rates of those that opened, and for runs that nobody has taken. */
export async function passStartTime(store: Store, ms: number): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE gathered_starts SET first_ms = first_ms - ${ms}, last_ms = last_ms - ${ms}, due_ms = due_ms - ${ms},
      expires_ms = expires_ms - ${ms}, queued_ms = queued_ms - ${ms}`.execute(db);
    await sql`UPDATE start_times SET at_ms = at_ms - ${ms}`.execute(db);
    await sql`UPDATE runs SET start_by_ms = start_by_ms - ${ms} WHERE start_by_ms IS NOT NULL`.execute(db);
  });
}

/** The source of a version becomes another, as somebody with the store alone could write it: the API changes none. */
export async function writeSource(store: Store, versionId: number, source_code: string): Promise<void> {
  const source_sha256 = createHash('sha256').update(source_code).digest('hex');
  await store.write((db) => db.updateTable('task_versions').set({ source_code, source_sha256 }).where('id', '=', versionId).execute());
}

/** What a version may becomes something else, in the same way. */
export async function writePermissions(store: Store, versionId: number, permissions: readonly string[]): Promise<void> {
  await store.write((db) =>
    db
      .updateTable('task_versions')
      .set({ permissions: JSON.stringify(permissions) })
      .where('id', '=', versionId)
      .execute(),
  );
}
