import type { EventType } from '../../../contract/events.ts';
import { JsonObject } from '../../../contract/run-events.ts';
import type { EventFilter } from '../../../contract/triggers.ts';
import type { Db } from '../../db/open.ts';
import { matchesFilter } from '../trigger-queue/rules.ts';
import { textsOf } from './rules.ts';
import * as store from './store.ts';

const AT_A_TIME = 500;

/** What is looked for: events of a type that pass a filter, from a time on. */
export type Sought = Pick<store.Search, 'from' | 'unseenIn'> & { type: EventType; match: EventFilter };

/** Finds the first event that is stored already. `given`: ids of events that do not count. */
export async function findEvent(
  db: Db,
  { type, match, from, unseenIn }: Sought,
  given: ReadonlySet<number>,
): Promise<store.StoredEvent | null> {
  let after: store.Search['after'] = { at: '', id: 0 };
  for (;;) {
    const rows = await store.selectEvents(db, { type, from, after, holding: textsOf(type, match), unseenIn }, AT_A_TIME);
    const found = rows.find(({ id, data }) => !given.has(id) && matchesFilter(match, JsonObject.parse(JSON.parse(data))));
    if (found) return found;
    const last = rows.at(-1);
    if (!last || rows.length < AT_A_TIME) return null;
    after = last;
  }
}
