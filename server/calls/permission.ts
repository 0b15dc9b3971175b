import type { Endpoint, NeededPermission } from '../../contract/endpoint.ts';
import { isTaskPermission } from '../../contract/permissions.ts';
import { type Actor, may } from '../verbs/context.ts';
import { Refusal, refusePermission } from '../verbs/problem.ts';
import type { Params } from '../verbs/route.ts';

/** What the caller needs and holds for the endpoint; by the route alone, so that 403 before 404 tells nothing (decisions.md §0). */
export function checkPermission(endpoint: Endpoint, actor: Actor, params: Params): NeededPermission | null {
  if (actor.type === 'task') {
    if ((actor.token === 'report') !== (endpoint.ownRun === true))
      throw new Refusal('forbidden', `${endpoint.id} is closed to ${CLOSED_TO[actor.token]}.`);
    if (endpoint.ownRun) {
      if (params['run_id'] !== actor.runId) throw new Refusal('forbidden', 'The token of a run is good for its own run alone.');
      return endpoint.taskPermission == null ? null : requirePermission(actor, endpoint.taskPermission);
    }
    const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
    if (permission === null || !isTaskPermission(permission)) throw new Refusal('forbidden', `${endpoint.id} is closed to tasks.`);
    return requirePermission(actor, permission);
  }
  if (endpoint.permission !== null) return requirePermission(actor, endpoint.permission);
  if (actor.type !== 'admin') throw new Refusal('forbidden', `${endpoint.id} is for admins.`);
  return null;
}

/** By the endpoint that the path was routed to, however the path was spelt (automation.md §3, Fencing). */
const CLOSED_TO = { call: 'tasks: only its runner reports about a run', report: 'the token of a runner that reports about its run' };

function requirePermission(actor: Actor, permission: NeededPermission): NeededPermission {
  if (may(actor, permission)) return permission;
  throw refusePermission('forbidden', [permission], `This needs the permission ${permission}.`);
}
