import type { Declared } from '../../../contract/declared.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { Db } from '../../db/open.ts';
import { permissionsNow } from '../../resources/admins/domain.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refusePermission } from '../../verbs/problem.ts';
import { missingReadsOf, readPermissions, readsHeldBy } from '../grants/reads.ts';
import { tasksIn } from '../grants/rules.ts';
import { type GivingRow, selectGiving, selectReaders } from './given-store.ts';

/**
 * What the runs of a version are given beside what they read themselves: the state of their task, and the output of the tasks that they may
 * start. They could send it on, so whoever writes or approves the version must be allowed to read it.
 */

type Version = Pick<Declared, 'may_start'> & { taskId: number };

/** Refuses an author or approver who may not read all that the version's runs are given. */
export async function requireGivenReads(ctx: Ctx, version: Version): Promise<void> {
  const missing = (await givenReadsOf(ctx, [version]))(version);
  if (missing.length === 0) return;
  const detail = `The state of task ${version.taskId}, or the output of tasks that the version may start, may contain what needs ${missing.join(', ')}, which you do not hold yourself; a version can only be given what its author and its approver may read.`;
  throw refusePermission('permission_not_held', missing, detail);
}

/** Tells for each of these versions the read permissions of what its runs are given which the actor lacks. */
export async function givenReadsOf(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  versions: readonly Version[],
): Promise<(version: Version) => Permission[]> {
  const ids = new Set(versions.flatMap(({ taskId, may_start }) => [taskId, ...may_start]));
  const tasks = new Map((await selectGiving(db, [...ids])).map((row) => [row.id, row]));
  return (version) => missingReadsOf(actor, permissionsGiven(tasks, version));
}

/** What its author may read, as a version stores it. */
export function mayReadOf({ actor }: Pick<Ctx, 'actor'>): string {
  return JSON.stringify(readsHeldBy(actor));
}

/** Once a version is approved, only what its approver may read, too. */
export function mayBothRead({ actor }: Pick<Ctx, 'actor'>, may_read: string | null): string | null {
  if (may_read === null) return null;
  const ofAuthor = new Set(readPermissions(may_read));
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

/**
 * The read permissions among these which the author or the approver of the version did not have when they saved and approved it. `known`:
 * of what the run had before, such as what a hook was sent; to be given that again is nothing new.
 */
export async function missingForVersion(
  db: Db,
  versionId: number,
  permissions: readonly string[],
  known: readonly string[] = [],
): Promise<Permission[]> {
  const version = await selectReaders(db, versionId);
  if (!version) return [];
  const { created_by, approved_by, may_read } = version;
  // Of an older version it is not known what they had, so what they have now counts.
  const readers =
    may_read === null
      ? await Promise.all([created_by, approved_by ?? created_by].map((id) => permissionsNow(db, id)))
      : [new Set(readPermissions(may_read))];
  const news = permissions.filter((one) => !known.includes(one));
  return [...new Set(readers.flatMap((held) => missingReadsOf({ type: 'admin', permissions: new Set([...held, ...known]) }, news)))];
}

/** No run can start its own task again, by whatever way, so of that task the state alone counts. */
function permissionsGiven(tasks: ReadonlyMap<number, GivingRow>, { taskId, may_start }: Version): string[] {
  const permissions = stateOf(tasks.get(taskId));
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

function stateOf(task: GivingRow | undefined): string[] {
  return readPermissions(task?.of_state ?? '[]');
}
