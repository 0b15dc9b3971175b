import { z } from 'zod';
import { isTaskPermission, type Permission } from '../../../contract/permissions.ts';
import type { Db } from '../../db/open.ts';
import { type Actor, may } from '../../verbs/context.ts';
import { refusePermission } from '../../verbs/problem.ts';
import * as store from './store.ts';

/**
 * Log, checkpoint, result, effects, questions and files of a run may tell whatever its script read. So whoever sees them
 * may read that themselves.
 */
export async function requireReads(db: Db, actor: Actor, runId: number): Promise<void> {
  const missing = (await missingReads(db, actor, [runId])).get(runId) ?? [];
  if (missing.length === 0) return;
  const detail = `What run ${runId} has to tell is for those who may read what its version may: ${missing.join(', ')}.`;
  throw refusePermission('forbidden', missing, detail);
}

/** Of each of these runs, what its script and those that it continues might read, and the caller may not. */
export async function missingReads(db: Db, actor: Actor, runIds: readonly number[]): Promise<Map<number, Permission[]>> {
  const rows = await store.selectPermissions(db, runIds);
  return new Map(rows.map(({ id, permissions }) => [id, readsOf(permissions).filter((wanted) => !may(actor, wanted))]));
}

/** What a lineage keeps: what a version may do, and the run whose checkpoint, answers or plan its run is given. */
export async function joinedPermissions(db: Db, own: Iterable<string>, givenByRunId: number): Promise<string> {
  const [giver] = await store.selectPermissions(db, [givenByRunId]);
  return JSON.stringify([...new Set([...own, ...(giver ? parse(giver.permissions) : [])])]);
}

const Strings = z.array(z.string());

function parse(permissions: string): string[] {
  return Strings.parse(JSON.parse(permissions));
}

/** Every admin may read the notifications; questions, completions and files that it writes tell a script nothing of the shop. */
const TELLS_NOTHING = new Set<Permission>(['admin_api.notifications.read', 'prompt_input', 'llm', 'file_download']);

function readsOf(permissions: string): Permission[] {
  const reads = parse(permissions).map((one) => one.replace(/\.write$/, '.read'));
  return [...new Set(reads.filter(isTaskPermission))].filter((one) => !TELLS_NOTHING.has(one));
}
