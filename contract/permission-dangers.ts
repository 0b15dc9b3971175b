import type { TaskPermission } from './permissions.ts';

/** What a permission of a version lets it do, and what is dangerous about it. This file has no schemas, so that the console can use its values. */

/** `reads`: it only looks; `changes`: it changes something in the shop; `leaves`: what it does reaches somebody outside. */
export const permissionGroups = ['reads', 'changes', 'leaves'] as const;
export type PermissionGroup = (typeof permissionGroups)[number];
/** `money`: prices, payments, vouchers; `people`: personal data; `deletes`: records can be deleted; `outside`: it reaches other systems. */
export type Danger = 'money' | 'people' | 'deletes' | 'outside';

type Judged = { group: PermissionGroup; dangers: readonly Danger[] };

const reads = (...dangers: Danger[]): Judged => ({ group: 'reads', dangers });
const changes = (...dangers: Danger[]): Judged => ({ group: 'changes', dangers });
const leaves: Judged = { group: 'leaves', dangers: ['outside'] };

/** Every permission that a task may be granted. */
const judged: Readonly<Record<TaskPermission, Judged>> = {
  'admin_api.access_groups.read': reads('people'),
  'admin_api.access_groups.write': changes('people', 'deletes'),
  'admin_api.customers.read': reads('people'),
  'admin_api.customers.write': changes('people', 'money', 'deletes'),
  'admin_api.dashboard.read': reads('people'),
  'admin_api.dashboard.write': changes('people'),
  'admin_api.discount_groups.read': reads(),
  'admin_api.discount_groups.write': changes('money', 'deletes'),
  'admin_api.files.read': reads('people'),
  'admin_api.files.write': changes('people', 'deletes'),
  'admin_api.inquiries.read': reads('people'),
  // An answer is mailed.
  'admin_api.inquiries.write': { group: 'leaves', dangers: ['people', 'deletes', 'outside'] },
  'admin_api.logs.read': reads('people'),
  'admin_api.logs.write': changes('people'),
  'admin_api.media.read': reads(),
  'admin_api.media.write': changes('deletes'),
  'admin_api.notifications.read': reads('people'),
  'admin_api.notifications.write': changes('people'),
  'admin_api.order_statuses.read': reads(),
  'admin_api.order_statuses.write': changes('deletes'),
  'admin_api.orders.read': reads('people'),
  'admin_api.orders.write': changes('people', 'money', 'deletes'),
  'admin_api.pages.read': reads(),
  'admin_api.pages.write': changes('deletes'),
  'admin_api.pickup_locations.read': reads(),
  'admin_api.pickup_locations.write': changes('deletes'),
  'admin_api.products.read': reads(),
  'admin_api.products.write': changes('money', 'deletes'),
  'admin_api.shipping_methods.read': reads(),
  'admin_api.shipping_methods.write': changes('money', 'deletes'),
  'admin_api.subscriptions.read': reads('people'),
  'admin_api.subscriptions.write': changes('people', 'money'),
  'admin_api.tax_rates.read': reads(),
  'admin_api.tax_rates.write': changes('money', 'deletes'),
  'admin_api.themes.read': reads(),
  'admin_api.themes.write': changes('deletes'),
  'admin_api.vouchers.read': reads(),
  'admin_api.vouchers.write': changes('money', 'deletes'),
  file_upload: reads(),
  file_download: changes(),
  prompt_input: reads(),
  tasks_start: changes(),
  llm: leaves,
  mail_send: leaves,
  http_request: leaves,
};

/** Of a permission, or of a grant in its canonical text (`declared.ts`). What is not known counts as the worst. */
export function judgedPermission(text: string): Judged {
  if (text.startsWith('may_start:')) return judged.tasks_start;
  const known: Readonly<Record<string, Judged>> = judged;
  return Object.hasOwn(known, text) ? (known[text] ?? leaves) : leaves;
}
