import type { Endpoint, NeededPermission } from '../../contract/endpoint.ts';
import { isTaskPermission } from '../../contract/permissions.ts';
import { type Actor, may } from '../verbs/context.ts';
import { Refusal, refusePermission } from '../verbs/problem.ts';
import type { Params } from '../verbs/route.ts';

/**
 * Checks that the caller holds the permission of the endpoint, and returns that permission. The check looks only at the route, so that 403
 * instead of 404 reveals nothing about records (decisions.md §0).
 */
export function checkPermission(endpoint: Endpoint, actor: Actor, params: Params): NeededPermission | null {
  if (actor.type === 'task') {
    if ((actor.token === 'report') !== (endpoint.ownRun === true))
      throw new Refusal('forbidden', `${endpoint.id} cannot be called by ${CLOSED_TO[actor.token]}.`);
    if (endpoint.ownRun) {
      if (params['run_id'] !== actor.runId) throw new Refusal('forbidden', 'The token of a run is valid only for its own run.');
      return endpoint.taskPermission == null ? null : requirePermission(actor, endpoint.taskPermission);
    }
    const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
    if (permission === null || !isTaskPermission(permission)) throw new Refusal('forbidden', `${endpoint.id} cannot be called by tasks.`);
    return requirePermission(actor, permission);
  }
  if (endpoint.permission !== null) return requirePermission(actor, endpoint.permission);
  if (actor.type === 'guest' && endpoint.open) return null;
  if (actor.type !== 'admin') throw new Refusal('forbidden', `${endpoint.id} can only be called by admins.`);
  return null;
}

/** The check uses the endpoint that the router chose, so an unusual spelling of the path cannot avoid it (automation.md §3, Fencing). */
const CLOSED_TO = {
  call: 'tasks: only the runner reports about a run',
  report: 'a report token: it is only for reports about its run',
};

function requirePermission(actor: Actor, permission: NeededPermission): NeededPermission {
  if (may(actor, permission)) return permission;
  throw refusePermission('forbidden', [permission], `This needs the permission ${permission}.`);
}
