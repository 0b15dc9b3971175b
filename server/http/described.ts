import { PREFIX } from '../../contract/endpoint.ts';
import type { Wire } from './wire.ts';

/** How a request is named where others may read it: in the log and in traces. */

/** The route that the request was matched with, such as `/admin/api/orders/{id}`; undefined: none. */
export function routeOf({ state, _matchedRoute: matched }: Wire): string | undefined {
  if (state.target) return `${PREFIX}${state.target.endpoint.path}`;
  return typeof matched === 'string' ? matched.replaceAll(/:(\w+)/g, '{$1}') : undefined;
}

/**
 * The path without what could be a secret. Outside the API all but the first segment is left out: what follows it is the secret part of a
 * hook's address, the code of a one-time link or the name of a file, also where the path is misspelt.
 */
export function loggedPath(path: string): string {
  return path.startsWith(`${PREFIX}/`) ? path : path.replace(/^(\/+[^/]+\/).+$/s, '$1…');
}

export type LoggedActor = { type: string; id?: number; task_id?: number; run_id?: number };

/** Who sent the request, by kind and id; undefined: nobody has been authenticated. */
export function actorOf({ state: { caller } }: Wire): LoggedActor | undefined {
  const actor = caller?.actor;
  switch (actor?.type) {
    case 'admin':
      return { type: 'admin', id: actor.adminId };
    case 'task':
      // A script's own calls and its runner's reports have different tokens.
      return { type: actor.token === 'call' ? 'run' : 'runner', task_id: actor.taskId, run_id: actor.runId };
    case 'runner':
      return { type: 'runner', id: actor.tokenId };
    case 'guest':
      return { type: 'guest' };
    default:
      return undefined;
  }
}
