import type { Effect } from '../queries.ts';

type Written = Pick<Effect, 'resource' | 'changes'>;

/** Changes of many records that are equal, or at least of the same fields. */
export type EffectGroup = {
  key: string;
  type: string;
  count: number;
  /** Each field with its values before and after; null where they differ from record to record. */
  fields: readonly { name: string; change: readonly [before: unknown, after: unknown] | null }[];
};

/** Equal changes as one row each, the largest first; a change that only one record has is no group. */
export function groupEffects(effects: readonly Written[]): EffectGroup[] {
  const byFields = Map.groupBy(effects, ({ resource, changes }) => `${resource.type} ${Object.keys(changes).sort().join(' ')}`);
  return [...byFields].flatMap(([key, alike]) => groupsOf(key, alike)).sort((a, b) => b.count - a.count);
}

/** Few different values of the same fields are a row each; many are one row that says so. */
function groupsOf(key: string, alike: readonly Written[]): EffectGroup[] {
  const byValues = Map.groupBy(alike, ({ changes }) => JSON.stringify(Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1))));
  const equal = [...byValues.values()].filter((effects) => effects.length > 1);
  const isMostlyEqual = equal.reduce((sum, effects) => sum + effects.length, 0) >= alike.length / 2;
  if (!isMostlyEqual) return alike.length < 2 ? [] : [groupOf(key, alike)];
  return equal.map((effects, index) => groupOf(`${key} ${index}`, effects));
}

function groupOf(key: string, effects: readonly Written[]): EffectGroup {
  const [first] = effects;
  const names = Object.keys(first?.changes ?? {});
  return {
    key,
    type: first?.resource.type ?? '',
    count: effects.length,
    fields: names.map((name) => ({ name, change: commonChange(effects, name) })),
  };
}

function commonChange(effects: readonly Written[], name: string): readonly [unknown, unknown] | null {
  const values = effects.map(({ changes }) => changes[name]);
  const [first] = values;
  return first !== undefined && values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : null;
}
