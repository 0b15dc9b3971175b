import { accessGroupsEndpoints } from './access-groups.ts';
import { adminsEndpoints } from './admins.ts';
import { approvalsEndpoints } from './approvals.ts';
import { artifactsEndpoints } from './artifacts.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { customerCreditsEndpoints } from './customer-credits.ts';
import { customerFilesEndpoints } from './customer-files.ts';
import { customerWritesEndpoints } from './customer-writes.ts';
import { customersEndpoints } from './customers.ts';
import { dashboardEndpoints } from './dashboard.ts';
import { discountGroupsEndpoints } from './discount-groups.ts';
import { dryRunsEndpoints } from './dry-runs.ts';
import type { Endpoint } from './endpoint.ts';
import { filesEndpoints } from './files.ts';
import { inquiriesEndpoints } from './inquiries.ts';
import { llmEndpoints } from './llm.ts';
import { logsEndpoints } from './logs.ts';
import { mailsEndpoints } from './mails.ts';
import { mediaEndpoints } from './media.ts';
import { notificationsEndpoints } from './notifications.ts';
import { orderEditsEndpoints } from './order-edits.ts';
import { orderStatusesEndpoints } from './order-statuses.ts';
import { ordersEndpoints } from './orders.ts';
import { pagesEndpoints } from './pages.ts';
import { paymentsEndpoints } from './payments.ts';
import { pickupLocationsEndpoints } from './pickup-locations.ts';
import { preferencesEndpoints } from './preferences.ts';
import { productsEndpoints } from './products.ts';
import { promptsEndpoints } from './prompts.ts';
import { replaysEndpoints } from './replays.ts';
import { runFilesEndpoints } from './run-files.ts';
import { runnerEndpoints } from './runner.ts';
import { runsEndpoints } from './runs.ts';
import { schedulesEndpoints } from './schedules.ts';
import { settingsEndpoints } from './settings.ts';
import { shipmentsEndpoints } from './shipments.ts';
import { shippingMethodsEndpoints } from './shipping-methods.ts';
import { subscriptionsEndpoints } from './subscriptions.ts';
import { tasksEndpoints } from './tasks.ts';
import { taxRatesEndpoints } from './tax-rates.ts';
import { themesEndpoints } from './themes.ts';
import { triggersEndpoints } from './triggers.ts';
import { vouchersEndpoints } from './vouchers.ts';
import { webhookEndpointsEndpoints } from './webhook-endpoints.ts';

/** Every endpoint under its id. */
export const endpoints = {
  ...pagesEndpoints,
  ...accessGroupsEndpoints,
  ...ordersEndpoints,
  ...shipmentsEndpoints,
  ...orderEditsEndpoints,
  ...paymentsEndpoints,
  ...customersEndpoints,
  ...customerWritesEndpoints,
  ...customerFilesEndpoints,
  ...customerCreditsEndpoints,
  ...tasksEndpoints,
  ...approvalsEndpoints,
  ...runsEndpoints,
  ...schedulesEndpoints,
  ...triggersEndpoints,
  ...replaysEndpoints,
  ...runnerEndpoints,
  ...llmEndpoints,
  ...runFilesEndpoints,
  ...dryRunsEndpoints,
  ...promptsEndpoints,
  ...artifactsEndpoints,
  ...notificationsEndpoints,
  ...logsEndpoints,
  ...dashboardEndpoints,
  ...subscriptionsEndpoints,
  ...preferencesEndpoints,
  ...productsEndpoints,
  ...orderStatusesEndpoints,
  ...vouchersEndpoints,
  ...discountGroupsEndpoints,
  ...pickupLocationsEndpoints,
  ...shippingMethodsEndpoints,
  ...taxRatesEndpoints,
  ...settingsEndpoints,
  ...mailsEndpoints,
  ...adminsEndpoints,
  ...auditLogEndpoints,
  ...themesEndpoints,
  ...mediaEndpoints,
  ...filesEndpoints,
  ...inquiriesEndpoints,
  ...webhookEndpointsEndpoints,
} as const;

export type Endpoints = typeof endpoints;
export type EndpointId = keyof Endpoints;

export const endpointList: readonly Endpoint[] = Object.values(endpoints);

/** Names of the kinds of record that a path can point at; the server knows how each is found. */
export type RecordName = Extract<Endpoints[EndpointId], { record: string }>['record'];
