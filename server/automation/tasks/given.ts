import type { Declared } from '../../../contract/declared.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refusePermission } from '../../verbs/problem.ts';
import { missingReadsOf, readPermissions } from '../grants/reads.ts';
import { tasksIn } from '../grants/rules.ts';
import { type GivingRow, selectGiving } from './given-store.ts';

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
