import { JsonObject } from '../../../contract/run-events.ts';
import { EventFilter } from '../../../contract/triggers.ts';
import type { Db } from '../../db/open.ts';
import { matchesFilter } from './rules.ts';
import * as store from './store.ts';

/**
 * Notes an event for each trigger that it is for, in the transaction of what it tells; the runs are opened after the
 * commit. `lineageId`: of the run that caused it, whose task, and those whose runs led to it, do not run again for it.
 */
export async function queueTriggers(
  db: Db,
  event: { eventId: number; type: string; data: unknown; lineageId: string | null },
): Promise<void> {
  const triggers = await store.selectListening(db, event.type, event.lineageId);
  if (triggers.length === 0) return;
  const data = JsonObject.parse(event.data);
  const wanted = triggers.filter(({ filter }) => matchesFilter(EventFilter.parse(JSON.parse(filter)), data));
  if (wanted.length > 0) {
    await store.insertDeliveries(
      db,
      event.eventId,
      wanted.map(({ id }) => id),
    );
  }
}
