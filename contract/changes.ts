import { z } from 'zod';
import { endpointsOf, type NeededPermission } from './endpoint.ts';
import { Id } from './values.ts';

const orders = 'admin_api.orders.read';
const customers = 'admin_api.customers.read';
const tasks = 'admin_api.ai_tasks.read';

/**
 * The types of records that the audit log names, with the permission that lets an admin hear of their changes; null: every admin. A
 * change tells the id alone.
 */
export const changeTypes = {
  access_grant: 'admin_api.access_groups.read',
  access_group: 'admin_api.access_groups.read',
  admin: 'admin_api.admins.read',
  admin_invitation: 'admin_api.admins.read',
  assistant_thread: null,
  call: null,
  customer: customers,
  customer_address: customers,
  customer_file: customers,
  customer_note: customers,
  discount_group: 'admin_api.discount_groups.read',
  file: 'admin_api.files.read',
  hook: tasks,
  http_request: tasks,
  inquiry: 'admin_api.inquiries.read',
  llm_completion: tasks,
  mail: 'admin_api.logs.read',
  media: 'admin_api.media.read',
  notification: null,
  notification_preference: null,
  one_time_link: null,
  order: orders,
  order_status: 'admin_api.order_statuses.read',
  page: 'admin_api.pages.read',
  passkey: 'admin_api.admins.read',
  payment: orders,
  pickup_location: 'admin_api.pickup_locations.read',
  policy_change: 'admin_api.admins.read',
  product: 'admin_api.products.read',
  role: 'admin_api.admins.read',
  run: tasks,
  schedule: tasks,
  settings: 'admin_api.settings.read',
  shipment: orders,
  shipping_method: 'admin_api.shipping_methods.read',
  subscription: 'admin_api.subscriptions.read',
  task: tasks,
  task_error: tasks,
  task_secret: 'admin_api.task_secrets.read',
  task_state: tasks,
  task_variable: 'admin_api.task_variables.read',
  task_version: tasks,
  tax_rate: 'admin_api.tax_rates.read',
  theme: 'admin_api.themes.read',
  token: 'admin_api.admins.read',
  trigger: tasks,
  variant: 'admin_api.products.read',
  version_comment: tasks,
  view: null,
  voucher: 'admin_api.vouchers.read',
  webhook_delivery: 'admin_api.webhooks.read',
  webhook_endpoint: 'admin_api.webhooks.read',
} as const satisfies Record<string, NeededPermission | null>;

export type ChangeType = keyof typeof changeTypes;

export function isChangeType(text: string): text is ChangeType {
  return Object.hasOwn(changeTypes, text);
}

/** The data of one event of the stream: a record was created, changed or deleted. */
export const Change = z.object({ type: z.string(), id: Id.nullable() });
export type Change = z.infer<typeof Change>;

export const changesEndpoints = endpointsOf({
  id: 'changes.stream',
  method: 'GET',
  path: '/changes',
  summary: 'Stream which records change, of the types that the caller may read, so that a client reads them again',
  permission: null,
  taskPermission: null,
  stream: true,
  sse: {
    description: 'An event for each change from now on, or from the place that `Last-Event-ID` names; it does not end by itself',
    events: {
      change: {
        description:
          'A record was created, changed or deleted, a run ended, or a notification came, at most some seconds ago; the same change may be told twice',
        data: '{"type": string, "id": integer|null}; `type` as in the audit log',
      },
      reset: { description: 'Changes were missed; read everything again that is shown', data: '{}' },
    },
    ends: false,
  },
});
