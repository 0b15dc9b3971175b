import { z } from 'zod';

/** Resources a task may be granted (automation.md §2). */
export const taskResources = [
  'pages',
  'access_groups',
  'products',
  'orders',
  'customers',
  'subscriptions',
  'files',
  'media',
  'vouchers',
  'discount_groups',
  'pickup_locations',
  'order_statuses',
  'shipping_methods',
  'tax_rates',
  'themes',
  'inquiries',
  'notifications',
  'logs',
  'dashboard',
] as const;

/** Resources that only admins reach (decisions.md AU9, automation.md §2). */
const adminOnlyResources = ['ai_tasks', 'settings', 'webhooks', 'admins', 'preferences', 'runner'] as const;

export type Resource = (typeof taskResources)[number] | (typeof adminOnlyResources)[number];

/** What a task may hold beside resources. */
export const taskLiterals = ['file_upload', 'file_download', 'prompt_input', 'llm'] as const;

/** What a task may be granted. */
export type TaskPermission = `admin_api.${(typeof taskResources)[number]}.${'read' | 'write'}` | (typeof taskLiterals)[number];
export type Permission = TaskPermission | `admin_api.${Resource}.${'read' | 'write'}` | 'admin_api.ai_tasks.approve';

const both = (resource: Resource): Permission[] => [`admin_api.${resource}.read`, `admin_api.${resource}.write`];

/** The catalogue for tasks. */
export const taskPermissions: readonly Permission[] = [...taskResources.flatMap(both), ...taskLiterals];

/** The catalogue for admins and their tokens. */
export const adminPermissions: readonly Permission[] = [
  ...[...taskResources, ...adminOnlyResources].flatMap(both),
  'admin_api.ai_tasks.approve',
  ...taskLiterals,
];

const grantable = new Set<string>(taskPermissions);
const known = new Set<string>(adminPermissions);

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
export function holds(held: ReadonlySet<string>, wanted: Permission): boolean {
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
