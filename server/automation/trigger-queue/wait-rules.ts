import type { JsonObject } from '../../../contract/run-events.ts';
import type { EventFilter } from '../../../contract/triggers.ts';
import { valuesOf } from './rules.ts';

/** How an index finds the waits that an event may end, however many others there are: by the event and at most one of its fields. */

/** No filter has a longer text. */
const TEXT_MAX = 500;

/** What a wait is found by: the event alone, or with one field that must have one value, of which ids tell most apart. */
export function foundBy(event: string, match: EventFilter): string {
  const single = Object.entries(match)
    .filter(([, accepted]) => valuesOf(accepted).length === 1)
    .sort(([a], [b]) => Number(b.endsWith('_id')) - Number(a.endsWith('_id')) || (a < b ? -1 : 1));
  const [first] = single;
  return first ? keyOf(event, first[0], valuesOf(first[1])[0]) : `${event}|`;
}

/** All that waits for this event may be found by. */
export function keysOf(event: string, data: JsonObject): string[] {
  const keys = Object.entries(data).flatMap(([name, told]) => {
    const values: readonly unknown[] = Array.isArray(told) ? told : [told];
    return values.filter(isKept).map((value) => keyOf(event, name, value));
  });
  return [`${event}|`, ...new Set(keys)];
}

function isKept(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= TEXT_MAX : typeof value !== 'object' || value === null;
}

function keyOf(event: string, name: string, value: unknown): string {
  return `${event}|${name}=${JSON.stringify(value)}`;
}
