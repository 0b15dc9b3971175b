import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';

export type Effect = ResponseOf<Endpoints['ai_tasks.list_effects']>[number];
export type PlanGroup = {
  key: string;
  count: number;
  type: string;
  effects: readonly Effect[];
  changes: (readonly [name: string, before: unknown, after: unknown])[];
};

/** Equal changes are one row with their number, the most frequent first. */
export function planGroups(effects: readonly Effect[]): PlanGroup[] {
  const groups = Map.groupBy(effects, ({ resource, changes }) => `${resource.type} ${JSON.stringify(changes)}`);
  return [...groups]
    .map(([key, [first, ...rest]]) => ({
      key,
      count: 1 + rest.length,
      type: first?.resource.type ?? '',
      effects: first ? [first, ...rest] : [],
      changes: Object.entries(first?.changes ?? {}).flatMap(([name, [before, after]]) =>
        isNothing(before) && isNothing(after) ? [] : [[name, before, after] as const],
      ),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** Fields of a new record that stay empty say nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
