import type { Permission } from '../../../../contract/permissions.ts';
import type { Db } from '../../../db/open.ts';
import type { Actor, TaskActor } from '../../../verbs/context.ts';
import { refusePermission } from '../../../verbs/problem.ts';
import { missingReadsOf, readPermissions } from '../../grants/read-permissions.ts';
import { lockLineage, updatePermissions } from './lineage-store.ts';
import * as store from './store.ts';

/**
 * Refuses a caller who may not read everything that the run's script might have read: the run's log, checkpoint, result,
 * effects, questions and files may contain it.
 */
export async function requireReads(db: Db, actor: Actor, runId: number): Promise<void> {
  const missing = (await missingReads(db, actor, [runId])).get(runId) ?? [];
  if (missing.length === 0) return;
  const detail = `The output of run ${runId} may contain whatever its version may read; to see it you need ${missing.join(', ')}.`;
  throw refusePermission('forbidden', missing, detail);
}

/** For each of these runs, the read permissions that its script, or the scripts of runs that it continues, had and the caller lacks. */
export async function missingReads(db: Db, actor: Actor, runIds: readonly number[]): Promise<Map<number, Permission[]>> {
  const rows = await store.selectPermissions(db, runIds);
  return new Map(rows.map((row) => [row.id, missingReadsOf(row.hides_people === 1 ? asSeeing(actor) : actor, allOf(row))]));
}

/** To an agent that sees no people, a run from which they are hidden is shown as to one that sees them. */
function asSeeing(actor: Actor): Actor {
  return actor.type === 'admin' && actor.agent ? { ...actor, agent: { seesPersonalData: true } } : actor;
}

/**
 * The permissions of everything that the run was given, also by the state of its task if it uses that. `missingReadsOf` tells from them who
 * may see its output.
 */
export async function permissionsOfRun(db: Db, runId: number): Promise<string[]> {
  const [row] = await store.selectPermissions(db, [runId]);
  return row ? allOf(row) : [];
}

function allOf({ permissions, of_state }: store.PermissionsRow): string[] {
  return [...new Set([...readPermissions(permissions), ...readPermissions(of_state ?? '[]')])];
}

/**
 * The permissions that a lineage stores, as JSON: its version's own, and those of the run whose checkpoint, answers or plan
 * it is given.
 */
export async function joinedPermissions(db: Db, own: Iterable<string>, givenByRunId: number): Promise<string> {
  return JSON.stringify([...new Set([...own, ...(await permissionsOfRun(db, givenByRunId))])]);
}

/** From now on the output of this run, whose row the caller has locked, may contain what the other one could read. */
export async function learnFrom(db: Db, { lineageId, runId }: Pick<TaskActor, 'lineageId' | 'runId'>, otherRunId: number): Promise<void> {
  await lockLineage(db, lineageId);
  await updatePermissions(db, lineageId, await joinedPermissions(db, await permissionsOfRun(db, runId), otherRunId));
}

/** The same of something else that the run, whose row the caller has locked, is given. */
export async function learnContents(
  db: Db,
  { lineageId, runId }: Pick<TaskActor, 'lineageId' | 'runId'>,
  permissions: readonly string[],
): Promise<void> {
  if (permissions.length === 0) return;
  await lockLineage(db, lineageId);
  await updatePermissions(db, lineageId, JSON.stringify([...new Set([...(await permissionsOfRun(db, runId)), ...permissions])]));
}
