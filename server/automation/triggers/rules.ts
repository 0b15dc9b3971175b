import { z } from 'zod';
import type { ErrorItem } from '../../../contract/errors.ts';
import { type EventType, events } from '../../../contract/events.ts';
import type { EventFilter } from '../../../contract/triggers.ts';
import { valuesOf } from '../trigger-queue/rules.ts';

/** Returns what is wrong with a filter: fields that events of this type do not have, and values that a field can never have. */
export function filterErrors(type: EventType, filter: EventFilter): ErrorItem[] {
  const fields = new Map<string, z.core.$ZodType>(Object.entries(events[type].data.shape));
  return Object.entries(filter).flatMap(([name, accepted]): ErrorItem[] => {
    const pointer = `/filter/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const field = fields.get(name);
    if (!field) {
      const detail = `${type} has no "${name}"; it has ${[...fields.keys()].join(', ')}`;
      return [{ pointer, parameter: null, code: 'invalid_value', detail }];
    }
    // A filter on a list field names one of the list's values.
    const value = field instanceof z.ZodArray ? field.element : field;
    const never = valuesOf(accepted).find((one) => !z.safeParse(value, one).success);
    if (never === undefined) return [];
    const detail = `"${name}" of ${type} is never ${JSON.stringify(never)}, but ${whatItIs(value)}`;
    return [{ pointer, parameter: null, code: 'invalid_value', detail }];
  });
}

/** Describes in words the values that a field can have. */
function whatItIs(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNullable) return `${whatItIs(schema.unwrap())} or null`;
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.map((option) => JSON.stringify(option)).join(', ')}`;
  if (schema instanceof z.ZodNumber) return 'a number';
  return schema instanceof z.ZodBoolean ? 'true or false' : 'a string';
}

/** Why events of this type cannot be told apart by a field; null: they can. */
export function keyFault(type: EventType, name: string): string | null {
  const fields = Object.keys(events[type].data.shape);
  return fields.includes(name) ? null : `${type} has no "${name}"; it has ${fields.join(', ')}`;
}
