import { z } from 'zod';
import { type Endpoint, type NeededPermission, type TaskLiteral, taskLiterals } from './endpoint.ts';
import { shopEndpoints } from './shop.ts';

type Shop = (typeof shopEndpoints)[keyof typeof shopEndpoints];
type ResourceIn<Needed> = Needed extends `admin_api.${infer Resource}.${'read' | 'write'}` ? Resource : never;
type TaskResource = ResourceIn<Shop['permission'] | Extract<Shop, { taskPermission: unknown }>['taskPermission']>;

/** Resources that only admins reach (decisions.md AU9, automation.md §2). */
const adminOnlyResources = ['ai_tasks', 'settings', 'webhooks', 'admins', 'preferences', 'runner'] as const;

/** What a task may be granted (automation.md §2): the resources of the shop, and what is none. */
export type TaskPermission = `admin_api.${TaskResource}.${'read' | 'write'}` | TaskLiteral;
export type Permission =
  | TaskPermission
  | `admin_api.${(typeof adminOnlyResources)[number]}.${'read' | 'write'}`
  | 'admin_api.ai_tasks.approve';

/** `orders` of `admin_api.orders.read`. */
function resourceOf(needed: NeededPermission | null | undefined): string | undefined {
  return /^admin_api\.(.+)\.\w+$/.exec(needed ?? '')?.[1];
}

const both = (resource: string): string[] => [`admin_api.${resource}.read`, `admin_api.${resource}.write`];

const shopResources = new Set(
  Object.values<Endpoint>(shopEndpoints).flatMap((e) => resourceOf(e.permission) ?? resourceOf(e.taskPermission) ?? []),
);
const grantable = new Set<string>([...[...shopResources].flatMap(both), ...taskLiterals]);
const known = new Set<string>([...grantable, ...adminOnlyResources.flatMap(both), 'admin_api.ai_tasks.approve']);

/** The catalogue for tasks. */
export const taskPermissions: readonly Permission[] = [...grantable].filter(isTaskPermission);

/** The catalogue for admins and their tokens. */
export const adminPermissions: readonly Permission[] = [...known].filter(isKnownPermission);

/** `admin_api.access-groups.read` is accepted for `admin_api.access_groups.read` (decisions.md AU9). */
export function canonicalPermission(text: string): string {
  return text.replaceAll('-', '_');
}

export function isTaskPermission(text: string): text is Permission {
  return grantable.has(text);
}

export function isKnownPermission(text: string): text is Permission {
  return known.has(text);
}

/** Whether a set of permissions gives one; write implies read (decisions.md AU7). */
export function holds(held: ReadonlySet<string>, wanted: NeededPermission): boolean {
  return held.has(wanted) || (wanted.endsWith('.read') && held.has(wanted.replace(/read$/, 'write')));
}

/**
 * A version's permissions: unknown ones and those that no task may hold are refused with their index
 * (automation.md §2); duplicates collapse, the order is kept (decisions.md TK5).
 */
export const TaskPermissions = permissionList(isTaskPermission, 'a task');

/** What a runner's token has, and has alone: with it one gets the tokens of runs, so that no person is given it (automation.md §4). */
export const RUNNER_PERMISSION = 'admin_api.runner.write';

function isGivenToPeople(permission: string): permission is Permission {
  return isKnownPermission(permission) && !permission.startsWith('admin_api.admins.') && permission !== RUNNER_PERMISSION;
}

/** What an admin may be given: all but the administration of admins and a runner's work (decisions.md §1.11, Tokens). */
export const AdminPermissions = permissionList(isGivenToPeople, 'staff');

/** What a token may be given: the same, or a runner's permission and nothing else. */
export const TokenPermissions = permissionList(isGivenToPeople, 'a token beside others', RUNNER_PERMISSION);

/** `alone`: accepted where the list holds nothing else. */
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
