type NamedTask = { id: number; name: string };

/** What a permission or a grant lets somebody do, in words. `tasks`: names for the tasks that may be started. */
export function permissionText(permission: string, tasks: readonly NamedTask[] = []): string {
  const [, grant = '', to = ''] = /^([a-z_]+):(.*)$/.exec(permission) ?? [];
  if (grant !== '') return grantText(grant, to, tasks);
  const [, resource = '', kind = ''] = /^admin_api\.([^.]+)\.(\w+)$/.exec(permission) ?? [];
  const name = resources[resource] ?? resource.replaceAll('_', ' ');
  return others[permission] ?? (kind === 'write' ? `Change ${name}` : `See ${name}`);
}

const resources: Record<string, string> = {
  access_groups: 'access groups',
  ai_tasks: 'tasks',
  admins: 'people and tokens',
  dashboard: 'the figures of the overview',
  discount_groups: 'discount groups',
  inquiries: 'inquiries',
  logs: 'the log',
  media: 'images',
  notifications: 'notifications',
  order_statuses: 'internal statuses',
  pickup_locations: 'pickup locations',
  products: 'products and stock',
  settings: 'settings of the shop',
  shipping_methods: 'shipping methods',
  tax_rates: 'tax rates',
};

const others: Record<string, string> = {
  file_upload: 'Read files that are given to a run',
  file_download: 'Write files that people can download',
  prompt_input: 'Ask people questions',
  llm: 'Use the language model',
  mail_send: 'Send mails',
  http_request: 'Send requests to other systems',
  tasks_start: 'Start other tasks',
  'admin_api.ai_tasks.approve': 'Approve versions of tasks',
};

/** What a grant adds to a permission, in words; the place of its text behind the colon is `to`. */
function grantText(kind: string, to: string, tasks: readonly NamedTask[]): string {
  switch (kind) {
    case 'mail_to':
      return to.startsWith('@') ? `Write mails to everybody at ${to.slice(1)}` : `Write mails to ${to}`;
    case 'http_allow':
      return requestText(to);
    case 'secret':
      return `Use the secret “${to}”`;
    case 'may_start': {
      const name = tasks.find(({ id }) => id === Number(to))?.name;
      return name === undefined ? `Start task ${to}` : `Start task ${to} “${name}”`;
    }
    default:
      return `${kind}: ${to}`;
  }
}

/** An entry names its methods first, where it has been checked by the server. */
function requestText(entry: string): string {
  const [, methods = '', address = entry] = /^(\S+) +(\S+)$/.exec(entry) ?? [];
  const [where, below] = address.endsWith('/*') ? [address.slice(0, -1), ' and everything below'] : [address, ''];
  const how = methods === '' ? '' : ` (${methods.split(',').join(', ')})`;
  return `${/^[GETHAD,]*$/.test(methods) ? 'Fetch' : 'Send requests to'} ${where}${below}${how}`;
}
