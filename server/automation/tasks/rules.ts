import { isGrant } from '../../../contract/declared.ts';
import { holds, isTaskPermission } from '../../../contract/permissions.ts';
import { defaultLimits, Limits } from '../../../contract/runner.ts';
import type { approvalPolicies } from '../../../contract/settings.ts';
import type { LimitsChange, TaskSettings } from '../../../contract/tasks.ts';

type SomeLimits = TaskSettings['limits'];
const limitNames = Limits.keyof().options;

/**
 * What a version adds and removes compared with another, both sorted (spec TK8), permissions before grants. The lists are those of
 * `declaredOf`.
 */
export function permissionsDiff(before: readonly string[], after: readonly string[]): { added: string[]; removed: string[] } {
  return {
    added: sorted(after.filter((one) => !before.includes(one))),
    removed: sorted(before.filter((one) => !after.includes(one))),
  };
}

function sorted(declared: readonly string[]): string[] {
  return [...declared.filter((one) => !isGrant(one)).sort(), ...declared.filter(isGrant).sort()];
}

/**
 * Whether a version needs another admin's approval (spec AP1). Each added grant counts; an added permission
 * counts only if the approved ones do not imply it: write implies read.
 */
export function needsReview(policy: (typeof approvalPolicies)[number], approved: readonly string[], wanted: readonly string[]): boolean {
  switch (policy) {
    case 'author':
      return false;
    case 'second_admin':
      return true;
    case 'added_permissions': {
      const held = new Set(approved);
      return wanted.some((one) => (isTaskPermission(one) ? !holds(held, one) : !held.has(one)));
    }
  }
}

/** What the shop's policy says of a version: whether it takes a second admin, and whether who approves signs it by a gesture. */
export type Review = { needsSecond: boolean; isSigned: boolean };

/**
 * Whether the version is this admin's own, which somebody else has to approve (spec AP3). Where the policy would have let it run at once, its
 * author may approve it all the same if a person's look is what it waits for: at what an agent wrote (spec MC5), or by a gesture (spec DE5).
 */
export function isOwnVersion(
  version: { created_by: number; created_via: string | null },
  adminId: number,
  { needsSecond, isSigned }: Review,
): boolean {
  return version.created_by === adminId && (needsSecond || (version.created_via === null && !isSigned));
}

/** The limits of a run: the task's own, else the defaults, but never more than the shop's maximum. */
export function limitsOf(own: SomeLimits, max: SomeLimits): Limits {
  const limits = Limits.parse({ ...defaultLimits, ...own });
  for (const name of limitNames) {
    const most = max[name] ?? null;
    if (most !== null && (limits[name] ?? Number.POSITIVE_INFINITY) > most) limits[name] = most;
  }
  return limits;
}

type Limiting = Pick<TaskSettings, 'limits' | 'retry' | 'concurrency'>;

/**
 * The limits that a change raises, each with its value before and after; null: no limit. How often a run is tried, and how many run at once,
 * are limits, too.
 */
export function raisedLimits(before: Limiting, after: Limiting): Record<string, [before: number | null, after: number | null]> {
  const [was, will] = [allLimits(before), allLimits(after)];
  const raised = Object.keys(will).filter((name) => (will[name] ?? Number.POSITIVE_INFINITY) > (was[name] ?? Number.POSITIVE_INFINITY));
  return Object.fromEntries(raised.map((name) => [name, [was[name] ?? null, will[name] ?? null]]));
}

function allLimits({ limits, retry, concurrency }: Limiting): Record<string, number | null> {
  return { ...limitsOf(limits, {}), 'retry.attempts': retry.attempts, 'concurrency.limit': concurrency.limit };
}

/** The limits that a task has of its own after a change; null takes one away. */
export function limitsAfter(own: SomeLimits, change: LimitsChange = {}): SomeLimits {
  const after = { ...own };
  for (const name of limitNames) {
    const wanted = change[name];
    if (wanted === null) delete after[name];
    else if (wanted !== undefined) after[name] = wanted;
  }
  return after;
}

/** The limits that exceed the shop's maximum, each with that maximum. */
export function limitsBeyond(wanted: LimitsChange, max: SomeLimits): [name: keyof Limits, most: number][] {
  return limitNames.flatMap((name): [keyof Limits, number][] => {
    const [value, most] = [wanted[name] ?? null, max[name] ?? null];
    return value !== null && most !== null && value > most ? [[name, most]] : [];
  });
}
