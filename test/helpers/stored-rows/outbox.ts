import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';
import type { NewRow } from '../../../server/db/tables.ts';

/** Mails, notifications, events and logs as time or a sender that died leaves them. */

/** Nobody is told anything: the API takes back no mail and no notification. */
export async function clearOutbox(store: Store): Promise<void> {
  await store.write(async (db) => {
    await db.deleteFrom('mails').execute();
    await db.deleteFrom('notifications').execute();
  });
}

/** The pause until the mail's next attempt is over. */
export async function makeMailDue(store: Store, id: number): Promise<void> {
  await store.write((db) => db.updateTable('mails').set({ due_ms: 0 }).where('id', '=', id).execute());
}

/** A mail that was tried so often, over days. */
export async function storeAttempts(store: Store, id: number, attempts: number): Promise<void> {
  await store.write((db) => db.updateTable('mails').set({ attempts }).where('id', '=', id).execute());
}

/** A mail that a sender held when it died; with a Message-ID where it had begun to send it, after which its time came again. */
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

/** All notifications that there are were given an hour ago. */
export async function ageNotifications(store: Store): Promise<void> {
  const created_at = new Date(Date.now() - 3_600_000).toISOString();
  await store.write((db) => db.updateTable('notifications').set({ created_at }).execute());
}

/** One mail that is due in thirty years, and one that was sent: the API plans no mails. Gives the id of the first. */
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

/** Two events of now, the first of which a trigger tries again in thirty years. Gives the id of the first. */
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

/** No event waits for a trigger any more, not even one that is tried again in thirty years. */
export async function forgetEventsThatWait(store: Store): Promise<void> {
  await store.write((db) => sql`DELETE FROM trigger_deliveries`.execute(db));
}

/** So many entries of a log, more than a test would cause. */
export async function storeLogEntries(store: Store, count: number): Promise<void> {
  const created_at = new Date().toISOString();
  const entry: NewRow<'log_entries'> = { source: 'admin', action: 'a', status: 'success', summary: 's', detail: null, created_at };
  await store.write((db) => db.insertInto('log_entries').values(Array(count).fill(entry)).execute());
}

/** The first attempt of each delivery of a webhook that waits is its tenth, as after days. */
export async function storeTenthAttempts(store: Store): Promise<void> {
  await store.write((db) =>
    db.updateTable('webhook_deliveries').set({ attempts: 9 }).where('status', '=', 'pending').where('attempts', '=', 0).execute(),
  );
}
