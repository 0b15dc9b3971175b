import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';
import type { NewRow } from '../../../server/db/tables.ts';

/** Mails, notifications, events and log entries as the passing of time, or a sender that died, leaves them. */

/** Deletes all mails and notifications; the API cannot delete them. */
export async function clearOutbox(store: Store): Promise<void> {
  await store.write(async (db) => {
    await db.deleteFrom('mails').execute();
    await db.deleteFrom('notifications').execute();
  });
}

/** Ends the pause before the mail's next attempt. */
export async function makeMailDue(store: Store, id: number): Promise<void> {
  await store.write((db) => db.updateTable('mails').set({ due_ms: 0 }).where('id', '=', id).execute());
}

/** Stores how many attempts to send the mail were made; real attempts would take days. */
export async function storeAttempts(store: Store, id: number, attempts: number): Promise<void> {
  await store.write((db) => db.updateTable('mails').set({ attempts }).where('id', '=', id).execute());
}

/** Leaves the mail leased by a sender that died. With a `message_id`, the sender had begun to send it, and the mail is due again. */
export async function leaveToTheDead(store: Store, id: number, message_id?: string): Promise<void> {
  const begun = message_id === undefined ? {} : { attempts: 1, message_id, due_ms: 1 };
  await store.write((db) =>
    db
      .updateTable('mails')
      .set({ lease: 'of the dead', ...begun })
      .where('id', '=', id)
      .execute(),
  );
}

/** Makes all notifications an hour old. */
export async function ageNotifications(store: Store): Promise<void> {
  const created_at = new Date(Date.now() - 3_600_000).toISOString();
  await store.write((db) => db.updateTable('notifications').set({ created_at }).execute());
}

/** Stores a mail that is due in thirty years and one that was sent; the API makes no such mails. Returns the id of the first. */
export async function storeQueuedAndSent(store: Store): Promise<number> {
  const at = new Date().toISOString();
  const mail = {
    ...{ template: 'test', locale: 'en', to_name: '', to_address: 'a@example.com', subject: 's', text_body: 't', html_body: 'h' },
    ...{ attempts: 0, due_ms: Date.now() + 1e12, untold: 0, created_at: at },
  };
  const values = [
    { ...mail, status: 'queued' as const, ended_at: null },
    { ...mail, status: 'sent' as const, ended_at: at },
  ];
  const [queued] = await store.write((db) => db.insertInto('mails').values(values).returning('id').execute());
  if (!queued) throw new Error('no mail was stored');
  return queued.id;
}

/** Stores two new events. A trigger will try the first again in thirty years. Returns the id of the first. */
export async function storeEventTriedLater(store: Store, triggerId: number, customerId: number): Promise<number> {
  const data = JSON.stringify({ customer_id: customerId });
  const event = { type: 'customer.created', data, at: new Date().toISOString(), lineage_id: null };
  return store.write(async (db) => {
    const [first] = await db.insertInto('domain_events').values([event, event]).returning('id').execute();
    if (!first) throw new Error('no event was stored');
    const later = { trigger_id: triggerId, event_id: first.id, due_ms: Date.now() + 1e12 };
    await db.insertInto('trigger_deliveries').values(later).execute();
    return first.id;
  });
}

/** Removes all events that wait for a trigger, including one that is tried again in thirty years. */
export async function forgetEventsThatWait(store: Store): Promise<void> {
  await store.write((db) => sql`DELETE FROM trigger_deliveries`.execute(db));
}

/** Stores `count` log entries, more than requests of a test could cause. */
export async function storeLogEntries(store: Store, count: number): Promise<void> {
  const created_at = new Date().toISOString();
  const entry: NewRow<'log_entries'> = { source: 'admin', action: 'a', status: 'success', summary: 's', detail: null, created_at };
  await store.write((db) => db.insertInto('log_entries').values(Array(count).fill(entry)).execute());
}

/** Makes the next attempt of each waiting webhook delivery its tenth; ten real attempts would take days. */
export async function storeTenthAttempts(store: Store): Promise<void> {
  await store.write((db) =>
    db.updateTable('webhook_deliveries').set({ attempts: 9 }).where('status', '=', 'pending').where('attempts', '=', 0).execute(),
  );
}

/** Makes it so many minutes ago that the latest notifications about the task were told. */
export async function letNewsAge(store: Store, taskId: number, minutes: number): Promise<void> {
  const created_at = new Date(Date.now() - minutes * 60_000).toISOString();
  await store.write((db) =>
    db.updateTable('notifications').set({ created_at }).where('metadata', 'like', `%"task_id":${taskId},%`).execute(),
  );
}

/** Lets this time pass for the mails to an address. `sent`: those that were due were sent. */
export async function letMailsAge(store: Store, address: string, { minutes, sent }: { minutes: number; sent: boolean }): Promise<void> {
  const ms = minutes * 60_000;
  await store.write(async (db) => {
    if (sent) {
      await sql`UPDATE mails SET status = 'sent', attempts = 1, ended_at = created_at
        WHERE to_address = ${address} AND due_ms <= ${store.dialect.nowMs}`.execute(db);
    }
    await sql`UPDATE mails SET due_ms = due_ms - ${ms}, planned_ms = planned_ms - ${ms} WHERE to_address = ${address}`.execute(db);
  });
}
