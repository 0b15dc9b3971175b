import type { Statement } from '../dialect.ts';

const read = (...names: string[]): string[] => names.map((name) => `admin_api.${name}.read`);
const write = (...names: string[]): string[] => names.map((name) => `admin_api.${name}.write`);

const lists = ['order_statuses', 'pickup_locations', 'shipping_methods', 'tax_rates'];
const ofTasks = ['file_upload', 'file_download', 'prompt_input', 'llm', 'mail_send', 'http_request', 'tasks_start'];
/** What tasks work with: only who holds a permission may declare it, or approve it. */
const workOfTasks = [
  ...write('access_groups', 'customers', 'discount_groups', 'files', 'inquiries', 'media', 'notifications', 'order_statuses', 'orders'),
  ...write('pages', 'products', 'subscriptions', 'vouchers'),
  ...read('dashboard', 'logs', 'pickup_locations', 'shipping_methods', 'tax_rates', 'themes'),
  ...ofTasks,
];

/** The roles that a new store has; each can be changed and deleted. */
const starters: readonly (readonly [name: string, description: string, permissions: readonly string[]])[] = [
  [
    'Manager',
    'Runs the shop: everything except people and their roles',
    [
      ...write('access_groups', 'ai_tasks', 'customers', 'discount_groups', 'files', 'inquiries', 'media', 'notifications'),
      ...write('orders', 'pages', 'preferences', 'products', 'settings', 'subscriptions', 'task_secrets', 'task_variables'),
      ...write('themes', 'vouchers', 'webhooks', ...lists),
      ...read('dashboard', 'logs', 'runner'),
      'admin_api.ai_tasks.approve',
      ...ofTasks,
    ],
  ],
  [
    'Support',
    'Helps customers: their orders, subscriptions, access and questions',
    [
      ...write('access_groups', 'customers', 'inquiries', 'orders', 'subscriptions'),
      ...read('dashboard', 'discount_groups', 'files', 'media', 'pages', 'products', 'vouchers', ...lists),
    ],
  ],
  [
    'Warehouse',
    'Packs and sends orders, and counts stock',
    [...write('orders', 'products'), ...read('dashboard', 'files', 'media', ...lists)],
  ],
  [
    'Bookkeeper',
    'Reads all that money is about, and changes nothing',
    read('customers', 'dashboard', 'discount_groups', 'files', 'logs', 'orders', 'products', 'subscriptions', 'vouchers', ...lists),
  ],
  [
    'Author',
    'Writes tasks; somebody else approves them',
    [...write('ai_tasks', 'task_variables'), ...read('task_secrets'), ...workOfTasks],
  ],
  [
    'Approver',
    'Reads and approves tasks that others write',
    ['admin_api.ai_tasks.approve', ...read('ai_tasks', 'task_secrets', 'task_variables'), ...workOfTasks],
  ],
];

function rowsAt(now: string): string {
  const rows = starters.map(
    ([name, description, permissions]) =>
      `('${name}', '${name.toUpperCase()}', '${description}', '${JSON.stringify([...permissions].sort())}', ${now}, ${now})`,
  );
  return `INSERT INTO roles (name, name_folded, description, permissions, created_at, updated_at) VALUES ${rows.join(', ')}`;
}

export const roles: readonly Statement[] = [
  `CREATE TABLE roles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    permissions TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  {
    sqlite: [rowsAt(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`)],
    postgres: [rowsAt(`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)],
  },
];
