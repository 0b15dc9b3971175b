import { z } from 'zod';
import { isGivenToAgents } from './agent-rules.ts';
import { type Endpoint, type NeededPermission, type TaskLiteral, taskLiterals } from './endpoint.ts';
import { shopEndpoints } from './shop.ts';

type Shop = (typeof shopEndpoints)[keyof typeof shopEndpoints];
type ResourceIn<Needed> = Needed extends `admin_api.${infer Resource}.${'read' | 'write'}` ? Resource : never;
type TaskResource = ResourceIn<Shop['permission'] | Extract<Shop, { taskPermission: unknown }>['taskPermission']>;

/** Resources that only admins reach (spec AU9, TK11). */
const adminOnlyResources = [
  'ai_tasks',
  'task_secrets',
  'task_variables',
  'settings',
  'webhooks',
  'admins',
  'preferences',
  'runner',
] as const;

/** Permissions that a task may be granted (spec TK5, TK11): those of the shop's resources, and the literals without a resource. */
export type TaskPermission = `admin_api.${TaskResource}.${'read' | 'write'}` | TaskLiteral;
export type Permission =
  | TaskPermission
  | `admin_api.${(typeof adminOnlyResources)[number]}.${'read' | 'write'}`
  | 'admin_api.ai_tasks.approve';

/** Gives `orders` for `admin_api.orders.read`. */
function resourceOf(needed: string | null | undefined): string | undefined {
  return /^admin_api\.(.+)\.\w+$/.exec(needed ?? '')?.[1];
}

const both = (resource: string): string[] => [`admin_api.${resource}.read`, `admin_api.${resource}.write`];

const shopResources = new Set(
  Object.values<Endpoint>(shopEndpoints).flatMap((e) => resourceOf(e.permission) ?? resourceOf(e.taskPermission) ?? []),
);
const grantable = new Set<string>([...[...shopResources].flatMap(both), ...taskLiterals]);
const known = new Set<string>([...grantable, ...adminOnlyResources.flatMap(both), 'admin_api.ai_tasks.approve']);

/** All permissions that tasks can be granted. */
export const taskPermissions: readonly Permission[] = [...grantable].filter(isTaskPermission);

/** All permissions that exist, for admins and their tokens. */
export const adminPermissions: readonly Permission[] = [...known].filter(isKnownPermission);

/** `admin_api.access-groups.read` is accepted as another spelling of `admin_api.access_groups.read` (spec AU9). */
export function canonicalPermission(text: string): string {
  return text.replaceAll('-', '_');
}

export function isTaskPermission(text: string): text is Permission {
  return grantable.has(text);
}

export function isKnownPermission(text: string): text is Permission {
  return known.has(text);
}

/** Whether the held permissions include the wanted one; write implies read (spec AU7). */
export function holds(held: ReadonlySet<string>, wanted: NeededPermission): boolean {
  return held.has(wanted) || (wanted.endsWith('.read') && held.has(wanted.replace(/read$/, 'write')));
}

/**
 * The permissions of a version. Unknown ones, and those that no task may hold, are refused with their index (spec TK5, TK11); duplicates
 * are removed and the order is kept (spec TK5).
 */
export const TaskPermissions = permissionList(isTaskPermission, 'a task');

/**
 * The permission of a runner's token, which can have no other one. Whoever holds it is given the tokens of runs, so no person may hold it
 * (spec RN2).
 */
export const RUNNER_PERMISSION = 'admin_api.runner.write';

function isGivenToPeople(permission: string): permission is Permission {
  return isKnownPermission(permission) && !permission.startsWith('admin_api.admins.') && permission !== RUNNER_PERMISSION;
}

/** Permissions that a staff admin may be given: all except the administration of admins and a runner's (spec AU9, RN2). */
export const AdminPermissions = permissionList(isGivenToPeople, 'staff');

/** Permissions that a token may be given: the same ones, or the runner's permission alone. */
export const TokenPermissions = permissionList(isGivenToPeople, 'a token beside others', RUNNER_PERMISSION);

function isForAgent(permission: string): permission is Permission {
  return isKnownPermission(permission) && isGivenToAgents(permission);
}

/** Permissions that an agent may be given: those of tasks, and of the resources of tasks to read, and to write versions. */
export const AgentPermissions = permissionList(isForAgent, 'an agent');

/** Parses a list of permissions. The permission `alone` is accepted if the list contains nothing else. */
function permissionList(isGrantable: (text: string) => text is Permission, holder: string, alone?: Permission) {
  return z
    .array(z.string())
    .max(100)
    .transform((list, ctx) => {
      if (alone !== undefined && list.length > 0 && list.every((text) => canonicalPermission(text) === alone)) return [alone];
      const kept: Permission[] = [];
      list.forEach((text, index) => {
        const permission = canonicalPermission(text);
        if (isGrantable(permission)) {
          if (!kept.includes(permission)) kept.push(permission);
          return;
        }
        const code = isKnownPermission(permission) ? 'permission_not_grantable' : 'unknown_permission';
        ctx.issues.push({
          code: 'custom',
          path: [index],
          input: text,
          message:
            code === 'unknown_permission'
              ? `"${text.slice(0, 100)}" is not in the catalogue; accepted are admin_api.<resource>.read, admin_api.<resource>.write, ${taskLiterals.join(', ')}`
              : `"${text}" can never be granted to ${holder}`,
          params: { code },
        });
      });
      return kept;
    });
}
