import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { rowStatement } from '../../db/queries/statement.ts';
import { taskPart } from '../../db/queries/task-part.ts';
import type { Row } from '../../db/tables.ts';

export type TriggerRow = Row<'triggers'>;

/** Removing a trigger also removes the events that are queued for it (a cascading foreign key). */
export const triggers = taskPart('triggers');

export async function isAnyDue({ db, dialect: { nowMs } }: At): Promise<boolean> {
  const { rows } = await sql`SELECT event_id FROM trigger_deliveries WHERE due_ms <= ${nowMs} LIMIT 1`.execute(db);
  return rows.length > 0;
}

export type Place = { trigger_id: number; event_id: number };

/** Takes the oldest event that is due out of the queue; no other server gets it unless this transaction fails. */
export const takeDue = rowStatement<object, Place>(
  (_, { nowMs, skipLocked }) => sql`
    DELETE FROM trigger_deliveries WHERE (trigger_id, event_id) = (
      SELECT trigger_id, event_id FROM trigger_deliveries WHERE due_ms <= ${nowMs} ORDER BY due_ms, event_id, trigger_id LIMIT 1 ${skipLocked}
    ) RETURNING trigger_id, event_id`,
);

/** Takes the oldest due event that waits for this trigger. */
export const takeDueOf = rowStatement<{ trigger_id: number }, Place>(
  (value, { nowMs, skipLocked }) => sql`
    DELETE FROM trigger_deliveries WHERE (trigger_id, event_id) = (
      SELECT trigger_id, event_id FROM trigger_deliveries WHERE trigger_id = ${value('trigger_id')} AND due_ms <= ${nowMs}
      ORDER BY event_id LIMIT 1 ${skipLocked}
    ) RETURNING trigger_id, event_id`,
);

export async function postpone({ db, dialect: { nowMs } }: At, place: Place, ms: number): Promise<void> {
  await sql`UPDATE trigger_deliveries SET due_ms = ${nowMs} + ${ms}
    WHERE trigger_id = ${place.trigger_id} AND event_id = ${place.event_id}`.execute(db);
}

export type Delivery = TriggerRow & { event_type: string; event_data: string; event_at: string; lineage_id: string | null };

export const selectDelivery = rowStatement<Place, Delivery>(
  (value) => sql`
    SELECT t.*, e.type AS event_type, e.data AS event_data, e.at AS event_at, e.lineage_id FROM triggers t JOIN domain_events e
    ON e.id = ${value('event_id')} WHERE t.id = ${value('trigger_id')}`,
);

/** Stores why an event opened no run. The row version is not raised, so that an admin's edit does not conflict with it. */
export async function noteError(db: Db, id: number, error: string | null): Promise<void> {
  await db.updateTable('triggers').set({ last_error: error }).where('id', '=', id).execute();
}
