import { translated, type Words } from '../language/translated.ts';

type NamedTask = { id: number; name: string };

const english = {
  see: (name: string) => `See ${name}`,
  change: (name: string) => `Change ${name}`,
  resources: {
    access_groups: 'access groups',
    ai_tasks: 'tasks',
    admins: 'people and tokens',
    customers: 'customers',
    dashboard: 'the figures of the overview',
    discount_groups: 'discount groups',
    files: 'files',
    inquiries: 'inquiries',
    logs: 'the log',
    media: 'images',
    notifications: 'notifications',
    order_statuses: 'internal statuses',
    orders: 'orders',
    pages: 'pages',
    pickup_locations: 'pickup locations',
    preferences: 'preferences',
    products: 'products and stock',
    runner: 'the runners',
    settings: 'settings of the shop',
    shipping_methods: 'shipping methods',
    subscriptions: 'subscriptions',
    task_secrets: 'secrets of tasks',
    task_variables: 'variables of tasks',
    tax_rates: 'tax rates',
    themes: 'themes',
    vouchers: 'vouchers',
    webhooks: 'webhooks',
  },
  others: {
    file_upload: 'Read files that are given to a run',
    file_download: 'Write files that people can download',
    prompt_input: 'Ask people questions',
    llm: 'Use the language model',
    mail_send: 'Send mails',
    http_request: 'Send requests to other systems',
    tasks_start: 'Start other tasks',
    'admin_api.ai_tasks.approve': 'Approve versions of tasks',
  },
  area: 'Area',
  levels: { none: 'Nothing', read: 'See', write: 'Change' },
  groups: { selling: 'Selling', catalogue: 'Goods and prices', content: 'Content', automation: 'Automation', shop: 'The shop itself' },
  weighty: 'Amber: it moves money, touches people or secrets, approves, or leaves the house.',
  changes: 'Sees and changes',
  sees: 'Sees',
  youChange: 'You see and change',
  youSee: 'You see',
  also: 'Also',
  everything: 'Everything, and who may do what.',
  nothing: 'Nothing yet.',
  mailToAll: (domain: string) => `Write mails to everybody at ${domain}`,
  mailTo: (address: string) => `Write mails to ${address}`,
  secret: (name: string) => `Use the secret “${name}”`,
  startTask: (id: string) => `Start task ${id}`,
  startNamedTask: (id: string, name: string) => `Start task ${id} “${name}”`,
  /** `methods` is empty, or has a space before its parentheses. */
  fetch: (where: string, methods: string) => `Fetch ${where}${methods}`,
  fetchBelow: (where: string, methods: string) => `Fetch ${where} and everything below${methods}`,
  send: (where: string, methods: string) => `Send requests to ${where}${methods}`,
  sendBelow: (where: string, methods: string) => `Send requests to ${where} and everything below${methods}`,
} as const;

export type PermissionsText = Words<typeof english>;
const t = translated('permissions', english);
const resources: Record<string, string> = t.resources;
const others: Record<string, string> = t.others;

export const permissionsText = t;

/** A resource in the middle of a sentence: `order statuses`. */
export function areaWords(resource: string): string {
  return resources[resource] ?? resource.replaceAll('_', ' ');
}

/** A resource by itself: `Order statuses`. */
export function areaName(resource: string): string {
  const words = areaWords(resource).replace(/^the /, '');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

/** What a permission or a grant lets somebody do, in words. `tasks`: names for the tasks that may be started. */
export function permissionText(permission: string, tasks: readonly NamedTask[] = []): string {
  const [, grant = '', to = ''] = /^([a-z_]+):(.*)$/.exec(permission) ?? [];
  if (grant !== '') return grantText(grant, to, tasks);
  const [, resource = '', kind = ''] = /^admin_api\.([^.]+)\.(\w+)$/.exec(permission) ?? [];
  const name = areaWords(resource);
  return others[permission] ?? (kind === 'write' ? t.change(name) : t.see(name));
}

/** What a grant adds to a permission, in words; the place of its text behind the colon is `to`. */
function grantText(kind: string, to: string, tasks: readonly NamedTask[]): string {
  switch (kind) {
    case 'mail_to':
      return to.startsWith('@') ? t.mailToAll(to.slice(1)) : t.mailTo(to);
    case 'http_allow':
      return requestText(to);
    case 'secret':
      return t.secret(to);
    case 'may_start': {
      const name = tasks.find(({ id }) => id === Number(to))?.name;
      return name === undefined ? t.startTask(to) : t.startNamedTask(to, name);
    }
    default:
      return `${kind}: ${to}`;
  }
}

/** An entry names its methods first, where it has been checked by the server. */
function requestText(entry: string): string {
  const [, methods = '', address = entry] = /^(\S+) +(\S+)$/.exec(entry) ?? [];
  const how = methods === '' ? '' : ` (${methods.split(',').join(', ')})`;
  const isBelow = address.endsWith('/*');
  const where = isBelow ? address.slice(0, -1) : address;
  if (/^[GETHAD,]*$/.test(methods)) return isBelow ? t.fetchBelow(where, how) : t.fetch(where, how);
  return isBelow ? t.sendBelow(where, how) : t.send(where, how);
}
