import type { Declared } from '../../../contract/declared.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { Db } from '../../db/open.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refusePermission } from '../../verbs/problem.ts';
import { contentOfHook, missingReadsOf, readPermissions, readsHeldBy } from '../grants/read-permissions.ts';
import { tasksIn } from '../grants/rules.ts';
import { type GivingRow, type StartingRow, selectGiving, selectReaders, selectStarting } from './given-store.ts';

/**
 * What the runs of a version are given beside what they read themselves: the state of their task, the output of the tasks that they may
 * start, the parameters from those that may start them, and what a hook was sent. They could send it on, so whoever writes or approves the
 * version must be allowed to read it. That is looked up when a version is saved and approved, and again, for what changes later, when a run
 * is given something.
 */

type Version = Pick<Declared, 'may_start'> & { taskId: number };

/** Refuses an author or approver who may not read all that the version's runs are given. */
export async function requireGivenReads(ctx: Ctx, version: Version): Promise<void> {
  const missing = (await givenReadsOf(ctx, [version]))(version);
  if (missing.length === 0) return;
  const detail = `The state of task ${version.taskId}, the output of tasks that the version may start, or the parameters that its runs get from other tasks or from a hook may contain what needs ${missing.join(', ')}, which you do not hold yourself; a version can only be given what its author and its approver may read.`;
  throw refusePermission('permission_not_held', missing, detail);
}

/** Tells for each of these versions the read permissions of what its runs are given which the actor lacks. */
export async function givenReadsOf(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  versions: readonly Version[],
): Promise<(version: Version) => Permission[]> {
  const startersOf = startersIn(versions.length === 0 ? [] : await selectStarting(db));
  const ids = new Set(versions.flatMap(({ taskId, may_start }) => [taskId, ...may_start, ...reachedBy(taskId, startersOf)]));
  const tasks = new Map((await selectGiving(db, [...ids])).map((row) => [row.id, row]));
  return (version) =>
    missingOf(actor, [...permissionsGiven(tasks, version), ...permissionsOfStarters(tasks, reachedBy(version.taskId, startersOf))]);
}

/** What its author may read, as a version stores it. */
export function mayReadOf({ actor }: Pick<Ctx, 'actor'>): string {
  return JSON.stringify(readsHeldBy(actor));
}

/** Once a version is approved, only what its approver may read, too. */
export function mayBothRead({ actor }: Pick<Ctx, 'actor'>, may_read: string | null): string {
  const ofAuthor = new Set(readPermissions(may_read ?? '[]'));
  return JSON.stringify(readsHeldBy(actor).filter((one) => ofAuthor.has(one)));
}

/**
 * The read permissions of what a task gives now to a run that starts it which the author or the approver of the run's version did not have:
 * its versions may read more since then.
 */
export async function missingOfStarted(db: Db, run: { taskId: number; versionId: number }, startedTaskId: number): Promise<Permission[]> {
  const tasks = new Map((await selectGiving(db, [startedTaskId])).map((row) => [row.id, row]));
  return missingForVersion(db, run.versionId, permissionsGiven(tasks, { taskId: run.taskId, may_start: [startedTaskId] }));
}

/** Refuses to give a run what the author or the approver of its version might not read. `what`: what it would be given. */
export async function requireMayBeGiven(
  db: Db,
  { taskId, versionId }: { taskId: number; versionId: number },
  permissions: readonly string[],
  what: string,
  code: ErrorCode = 'forbidden',
): Promise<void> {
  const missing = await missingForVersion(db, versionId, permissions);
  if (missing.length === 0) return;
  const detail = `${what} may contain what needs ${missing.join(', ')}, which the author or the approver of the version of task ${taskId} that would get it did not hold. Somebody who holds it must save that version anew, and somebody who holds it must approve it.`;
  throw refusePermission(code, missing, detail);
}

/**
 * The read permissions among these which the author or the approver of the version did not have when they saved and approved it. What it
 * declares they had.
 */
export async function missingForVersion(db: Db, versionId: number, permissions: readonly string[]): Promise<Permission[]> {
  const version = await selectReaders(db, { versionId });
  if (!version) return [];
  const held = new Set([...readPermissions(version.may_read ?? '[]'), ...readPermissions(version.permissions)]);
  return missingOf({ type: 'admin', permissions: held }, permissions);
}

/** By these a script reads nothing: what it gets from tasks that it starts stands among its permissions under what those may read. */
const READ_NOTHING = new Set<Permission>(['tasks_start', 'mail_send']);

function missingOf(actor: Parameters<typeof missingReadsOf>[0], permissions: readonly string[]): Permission[] {
  return missingReadsOf(actor, permissions).filter((one) => !READ_NOTHING.has(one));
}

/** No run can start its own task again, by whatever way, so of that task the state alone counts. */
function permissionsGiven(tasks: ReadonlyMap<number, GivingRow>, { taskId, may_start }: Version): string[] {
  const own = tasks.get(taskId);
  const permissions = [...stateOf(own), ...contentOf(own)];
  const seen = new Set([taskId]);
  const next = [...may_start];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    const task = tasks.get(id);
    if (!task || seen.has(id)) continue;
    seen.add(id);
    permissions.push(...readPermissions(task.permissions ?? '[]'), ...stateOf(task));
    if (task.may_start !== null) next.push(...tasksIn(task.may_start));
  }
  return permissions;
}

/** By tasks that may start a task, directly or through others: whatever they could read, they may pass on as parameters. */
function permissionsOfStarters(tasks: ReadonlyMap<number, GivingRow>, starters: ReadonlySet<number>): string[] {
  return [...starters].flatMap((id) => {
    const task = tasks.get(id);
    return [...readPermissions(task?.permissions ?? '[]'), ...stateOf(task), ...contentOf(task)];
  });
}

function startersIn(rows: readonly StartingRow[]): ReadonlyMap<number, number[]> {
  const starters = new Map<number, number[]>();
  for (const { id, may_start } of rows) {
    for (const started of tasksIn(may_start)) starters.set(started, [...(starters.get(started) ?? []), id]);
  }
  return starters;
}

/** The other tasks that lead to this one. */
function reachedBy(taskId: number, startersOf: ReadonlyMap<number, number[]>): ReadonlySet<number> {
  const found = new Set<number>();
  const next = [...(startersOf.get(taskId) ?? [])];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (id === taskId || found.has(id)) continue;
    found.add(id);
    next.push(...(startersOf.get(id) ?? []));
  }
  return found;
}

function contentOf(task: GivingRow | undefined): string[] {
  return typeof task?.hook_id === 'number' ? [contentOfHook(task.hook_id)] : [];
}

function stateOf(task: GivingRow | undefined): string[] {
  return readPermissions(task?.of_state ?? '[]');
}
