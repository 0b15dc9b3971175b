/** How permissions are shown: by area, and which of them weigh more. */

const groups = {
  selling: ['orders', 'customers', 'subscriptions', 'inquiries', 'access_groups'],
  catalogue: ['products', 'vouchers', 'discount_groups', 'shipping_methods', 'pickup_locations', 'order_statuses', 'tax_rates'],
  content: ['pages', 'themes', 'media', 'files'],
  automation: ['ai_tasks', 'task_variables', 'task_secrets', 'runner'],
  shop: ['dashboard', 'notifications', 'preferences', 'logs', 'settings', 'webhooks', 'admins'],
} as const satisfies Record<string, readonly string[]>;
export type Group = keyof typeof groups;
export type Level = 'none' | 'read' | 'write';

const OF_RESOURCE = /^admin_api\.(.+)\.(read|write)$/;

/** What moves money, decides about people, tells secrets or lets something leave the house. */
const weighty: ReadonlySet<string> = new Set([
  ...[
    'orders',
    'subscriptions',
    'customers',
    'vouchers',
    'discount_groups',
    'tax_rates',
    'task_secrets',
    'settings',
    'webhooks',
    'admins',
  ].map((resource) => `admin_api.${resource}.write`),
  ...['admin_api.admins.read', 'admin_api.ai_tasks.approve', 'mail_send', 'http_request'],
]);

export function isWeighty(permission: string): boolean {
  return weighty.has(permission);
}

export const readOf = (resource: string): string => `admin_api.${resource}.read`;
export const writeOf = (resource: string): string => `admin_api.${resource}.write`;

export function levelOf(held: ReadonlySet<string>, resource: string): Level {
  return held.has(writeOf(resource)) ? 'write' : held.has(readOf(resource)) ? 'read' : 'none';
}

/** The resources of these permissions by group, in the order of the groups; what no group has stands in the last. */
export function resourcesByGroup(permissions: readonly string[]): (readonly [Group, readonly string[]])[] {
  const present = new Set(permissions.flatMap((one) => OF_RESOURCE.exec(one)?.[1] ?? []));
  const known = new Set<string>(Object.values(groups).flat());
  const rest = [...present].filter((one) => !known.has(one));
  const all = Object.entries(groups) as [Group, readonly string[]][];
  return all
    .map(([group, resources]) => [group, [...resources.filter((one) => present.has(one)), ...(group === 'shop' ? rest : [])]] as const)
    .filter(([, resources]) => resources.length > 0);
}

/** The permissions that belong to no resource. */
export function othersOf(permissions: readonly string[]): string[] {
  return permissions.filter((one) => !OF_RESOURCE.test(one));
}
