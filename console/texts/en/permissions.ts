/** What a permission lets somebody do, in words. */
export function permissionText(permission: string): string {
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
  'admin_api.ai_tasks.approve': 'Approve versions of tasks',
};
