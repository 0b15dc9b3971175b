import { z } from 'zod';
import { type EventType, events } from '../../../contract/events.ts';
import { Json, JsonObject } from '../../../contract/run-events.ts';
import type { EventFilter } from '../../../contract/triggers.ts';
import { valuesOf } from '../trigger-queue/rules.ts';

/** An event as scripts get it: like the parameter `event` of a trigger's run. */
export function shownEvent({ id, type, at, data }: { id: number; type: string; at: string; data: string }): {
  id: number;
  type: string;
  at: string;
  data: JsonObject;
} {
  return { id, type, at, data: JsonObject.parse(JSON.parse(data)) };
}

/** Texts that the stored data of each matching event has. Whether an event matches, `matchesFilter` decides. */
export function textsOf(type: EventType, match: EventFilter): string[] {
  const fields = new Map<string, z.core.$ZodType>(Object.entries(events[type].data.shape));
  return Object.entries(match).flatMap(([name, accepted]) => {
    const [value, ...others] = valuesOf(accepted);
    return others.length > 0 || fields.get(name) instanceof z.ZodArray ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`];
  });
}

const WithId = z.object({ id: z.int() });

/** The id of the event in an answer; null: it was none. */
export function idIn(answers: string): number | null {
  return WithId.safeParse(JSON.parse(answers)).data?.id ?? null;
}

export function valueIn(answers: string | null): Json {
  return answers === null ? null : Json.parse(JSON.parse(answers));
}
