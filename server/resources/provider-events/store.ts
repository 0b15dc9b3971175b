import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** Stores an event; returns false if it was received before. A second delivery waits here until the transaction of the first has ended. */
export async function insertEvent(db: Db, row: NewRow<'webhook_events'>): Promise<boolean> {
  const inserted = await db
    .insertInto('webhook_events')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateOutcome(
  db: Db,
  provider: string,
  eventId: string,
  changes: Pick<Row<'webhook_events'>, 'outcome' | 'waits_for'>,
): Promise<void> {
  await db.updateTable('webhook_events').set(changes).where('provider', '=', provider).where('event_id', '=', eventId).execute();
}

export async function selectPayload(db: Db, provider: string, eventId: string): Promise<string | null> {
  const [row] = await payloadById(db, { provider, eventId });
  return row?.payload ?? null;
}

const payloadById = statement<{ provider: string; eventId: string }, { payload: string }>(
  (value) => sql`SELECT payload FROM webhook_events WHERE provider = ${value('provider')} AND event_id = ${value('eventId')}`,
);

/** The payloads of events that wait for an external id to become known, in the provider's order. */
export async function selectWaiting(db: Db, provider: string, externalId: string): Promise<string[]> {
  const rows = await waitingFor(db, { provider, externalId });
  return rows.map(({ payload }) => payload);
}

const waitingFor = statement<{ provider: string; externalId: string }, { payload: string }>(
  (value) => sql`
    SELECT payload FROM webhook_events
    WHERE provider = ${value('provider')} AND waits_for = ${value('externalId')}
    ORDER BY told_at`,
);

/** Deletes events that were received before this time, oldest first; returns how many. */
export async function deleteReceived({ db }: { db: Db }, before: string, limit: number): Promise<number> {
  const { rows } = await sql`DELETE FROM webhook_events WHERE (provider, event_id) IN (
    SELECT provider, event_id FROM webhook_events WHERE received_at < ${before} ORDER BY received_at LIMIT ${limit}
  ) RETURNING event_id`.execute(db);
  return rows.length;
}
