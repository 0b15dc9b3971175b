import { isForAgents } from '../../contract/agents.ts';
import { type Endpoint, isOwnTaskRight, type NeededPermission, type OwnTaskRight } from '../../contract/endpoint.ts';
import { isTaskPermission } from '../../contract/permissions.ts';
import { type Actor, may, type TaskActor } from '../verbs/context.ts';
import { Refusal, refusePermission } from '../verbs/problem.ts';
import type { Params } from '../verbs/route.ts';

/**
 * Checks that the caller holds the permission of the endpoint, and returns that permission. The check looks only at the route, so that 403
 * instead of 404 reveals nothing about records (spec R10).
 */
export function checkPermission(endpoint: Endpoint, actor: Actor, params: Params): NeededPermission | OwnTaskRight | null {
  if (actor.type === 'task') {
    if ((actor.token === 'report') !== (endpoint.ownRun === true))
      throw new Refusal('forbidden', `${endpoint.id} cannot be called by ${CLOSED_TO[actor.token]}.`);
    if (endpoint.ownRun) {
      if (params['run_id'] !== actor.runId) throw new Refusal('forbidden', 'The token of a run is valid only for its own run.');
      return endpoint.taskPermission == null ? null : requireRight(endpoint, actor, params, endpoint.taskPermission);
    }
    const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
    if (permission === null || !(isTaskPermission(permission) || isOwnTaskRight(permission)))
      throw new Refusal('forbidden', `${endpoint.id} cannot be called by tasks.`);
    return requireRight(endpoint, actor, params, permission);
  }
  if (actor.type === 'admin' && actor.agent && !isForAgents(endpoint))
    throw new Refusal('forbidden', `${endpoint.id} is closed to agents: an agent reads and proposes, a person decides.`);
  // It would be a way to keep what the token may do.
  if (actor.type === 'admin' && actor.isSingleUse && endpoint.secretFields !== undefined)
    throw new Refusal('forbidden', 'A token for one request makes no token, no link and no secret.');
  if (endpoint.permission !== null) return requirePermission(actor, endpoint.permission);
  if (actor.type === 'guest' && endpoint.open) return null;
  if (actor.type !== 'admin') throw new Refusal('forbidden', `${endpoint.id} can only be called by admins.`);
  return null;
}

/** The check uses the endpoint that the router chose, so an unusual spelling of the path cannot avoid it (spec RU12). */
const CLOSED_TO = {
  call: 'tasks: only the runner reports about a run',
  report: 'a report token: it is only for reports about its run',
};

/** A run has its version's permissions, and every right to its own task. */
function requireRight({ id }: Endpoint, actor: TaskActor, params: Params, right: NeededPermission | OwnTaskRight) {
  if (!isOwnTaskRight(right)) return requirePermission(actor, right);
  if (params['id'] === actor.taskId) return right;
  throw new Refusal('forbidden', `${id} can be called by a run for its own task alone, which is task ${actor.taskId}.`);
}

function requirePermission(actor: Actor, permission: NeededPermission): NeededPermission {
  if (may(actor, permission)) return permission;
  throw refusePermission('forbidden', [permission], `This needs the permission ${permission}.`);
}
