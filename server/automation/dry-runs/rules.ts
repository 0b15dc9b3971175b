type FourEyes = { writes_over: number | null; kinds: readonly string[] };

/** Whether a plan takes two persons: it has more writes than the shop allows one to make, or changes records of such a kind (spec DE8). */
export function takesTwo(
  { writes_over, kinds }: FourEyes,
  writes: readonly { outcome: { effects: readonly { resource: { type: string } }[] } }[],
): boolean {
  if (writes_over !== null && writes.length > writes_over) return true;
  return writes.some(({ outcome }) => outcome.effects.some(({ resource }) => kinds.includes(resource.type)));
}

/** The first place where two answers differ: a JSON pointer, and the value on each side. */
export type Difference = { at: string; expected: unknown; actual: unknown };

/** What is no difference. */
export type Tolerated = { madeSince?: string | null; acts?: Acting | null };
/** Who made a plan, several where it goes on from another, who carries it out, and the run in which it is carried out. */
export type Acting = { planned: readonly { id: number | null; name: string | null }[]; now: { id: number; name: string; runId: number } };

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/**
 * Returns the first difference, or null. With `madeSince`, two times from that moment on count as equal: the plan itself
 * makes them, anew each time it is carried out. Earlier times are the shop's and must be equal. `acts`: records name whoever carries the plan
 * out, and the run that does it, in place of whoever made it and the dry run.
 */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  { madeSince = null, acts = null }: Tolerated = {},
  at = '',
): Difference | null {
  if (Object.is(expected, actual)) return null;
  if (acts !== null && isWhoActs(expected, actual, acts, at)) return null;
  if (madeSince !== null && isTime(expected) && isTime(actual) && expected >= madeSince) return null;
  if (!isTree(expected) || !isTree(actual) || Array.isArray(expected) !== Array.isArray(actual)) return { at, expected, actual };
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = firstDifference(
      own(expected, key),
      own(actual, key),
      { madeSince, acts },
      `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
    if (found) return { ...found, expected: found.expected ?? null, actual: found.actual ?? null };
  }
  return null;
}

function isWhoActs(expected: unknown, actual: unknown, { planned, now }: Acting, at: string): boolean {
  if (expected !== null && planned.some(({ name }) => expected === name)) return actual === now.name;
  if (/\/(author_id|granted_by|edited_by_shop_owner_id)$/.test(at)) return planned.some(({ id }) => expected === id) && actual === now.id;
  // A dry run that went on elsewhere has the ids of several runs.
  return at.endsWith('/run_id') && typeof expected === 'number' && actual === now.runId;
}

function own(tree: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : undefined;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
