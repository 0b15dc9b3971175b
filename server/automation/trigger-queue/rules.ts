import type { JsonObject } from '../../../contract/run-events.ts';
import type { EventFilter } from '../../../contract/triggers.ts';

/** Whether each field of the filter has an accepted value; a list matches if it contains one. */
export function matchesFilter(filter: EventFilter, data: JsonObject): boolean {
  return Object.entries(filter).every(([name, accepted]) => {
    const told = Object.hasOwn(data, name) ? data[name] : undefined;
    const values: readonly unknown[] = Array.isArray(told) ? told : [told];
    return valuesOf(accepted).some((one) => values.includes(one));
  });
}

type Value = Exclude<EventFilter[string], readonly unknown[]>;

/** A filter accepts one value or a list of them; returns them as a list. */
export function valuesOf(accepted: EventFilter[string]): readonly Value[] {
  return Array.isArray(accepted) ? accepted : [accepted];
}
