import { JsonObject } from '../../../contract/run-events.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import type { Db } from '../../db/open.ts';
import { matchesFilter } from './rules.ts';
import * as store from './store.ts';

export { insertCauses, isCause } from './store.ts';

/**
 * Queues an event for each trigger that listens for it, in the event's own transaction; the runs are opened after the commit.
 * `lineageId` is the lineage of the run that caused the event: its task, and the tasks whose runs led to it, are not run
 * again for it. Returns whether any trigger waits for it now.
 */
export async function queueTriggers(
  db: Db,
  event: { eventId: number; type: string; data: unknown; lineageId: string | null },
): Promise<boolean> {
  const triggers = await store.selectListening(db, event.type, event.lineageId);
  if (triggers.length === 0) return false;
  const data = JsonObject.parse(event.data);
  const wanted = triggers.filter(({ filter }) => matchesFilter(EventFilter.parse(JSON.parse(filter)), data));
  if (wanted.length > 0) {
    await store.insertDeliveries(
      db,
      event.eventId,
      wanted.map(({ id }) => id),
    );
  }
  return wanted.length > 0;
}
