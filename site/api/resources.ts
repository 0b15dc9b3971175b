import type { Operation } from './document.ts';

/** Which page an operation stands on. The operations of tasks are too many for one page. */

const RUNS = /\/(runs|prompts)(\/|$)|^\/admin\/api\/task-drafts\/runs/;
const STARTS = /\/(schedules|triggers|hooks)(\/|$)/;

export function pageOf({ tag, path }: Pick<Operation, 'tag' | 'path'>): string {
  if (tag !== 'ai_tasks') return tag.replaceAll('_', '-');
  if (STARTS.test(path)) return 'ai-tasks-starts';
  return RUNS.test(path) ? 'ai-tasks-runs' : 'ai-tasks';
}

/** The pages in the order of the list. */
export const pageTitles: ReadonlyMap<string, string> = new Map([
  ['orders', 'Orders'],
  ['subscriptions', 'Subscriptions'],
  ['customers', 'Customers'],
  ['inquiries', 'Inquiries'],
  ['products', 'Products'],
  ['files', 'Files'],
  ['media', 'Media'],
  ['vouchers', 'Vouchers'],
  ['discount-groups', 'Discount groups'],
  ['access-groups', 'Access groups'],
  ['order-statuses', 'Order statuses'],
  ['shipping-methods', 'Shipping methods'],
  ['pickup-locations', 'Pickup locations'],
  ['tax-rates', 'Tax rates'],
  ['pages', 'Pages'],
  ['themes', 'Themes'],
  ['dashboard', 'Dashboard'],
  ['ai-tasks', 'Tasks'],
  ['ai-tasks-runs', 'Runs of tasks'],
  ['ai-tasks-starts', 'Schedules, triggers and hooks'],
  ['replays', 'Replays'],
  ['proposals', 'Proposals'],
  ['task-examples', 'Examples of tasks'],
  ['task-secrets', 'Secrets of tasks'],
  ['task-variables', 'Variables of tasks'],
  ['assistant', 'Assistant'],
  ['webhooks', 'Webhooks'],
  ['changes', 'Changes'],
  ['notifications', 'Notifications'],
  ['mails', 'Mails'],
  ['settings', 'Settings'],
  ['policy-changes', 'Changes of the policy'],
  ['admins', 'Admins'],
  ['roles', 'Roles'],
  ['admin-invitations', 'Invitations'],
  ['me', 'Own account'],
  ['passkeys', 'Passkeys'],
  ['session', 'Sessions of the console'],
  ['preferences', 'Preferences'],
  ['audit-log', 'Audit log'],
  ['logs', 'Logs'],
  ['runner', 'Runner'],
  ['task-runs', 'Runs that runs start'],
  ['http', 'Requests to other systems'],
  ['llm', 'Language model'],
]);
