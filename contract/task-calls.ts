import type { Endpoint } from './endpoint.ts';
import { endpointList } from './index.ts';
import { isTaskPermission } from './permissions.ts';

/** The calls that are open to tasks, each with the permission that it needs, by the rule of the server's `checkPermission`. */
export function taskCalls(): Record<string, string> {
  return Object.fromEntries(endpointList.filter((e) => !e.stream && !e.binary).flatMap((e) => callOf(e)));
}

function callOf(e: Endpoint): [id: string, needed: string][] {
  const needed = e.taskPermission === undefined ? e.permission : e.taskPermission;
  return e.ownRun || needed === null || !isTaskPermission(needed) ? [] : [[e.id, needed]];
}
