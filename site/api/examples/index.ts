import { type EndpointId, endpoints } from '../../../contract/index.ts';
import { assistant } from './assistant.ts';
import { automation } from './automation.ts';
import { discountGroups, orderStatuses, pickupLocations, shippingMethods, taxRates, vouchers } from './commerce.ts';
import { accessGroups, files, media, pages, themes } from './content.ts';
import { customers, inquiries } from './customers.ts';
import type { Details, ExampleShop, ExamplesOf, Resource } from './example.ts';
import { dashboard, orders, subscriptions } from './orders.ts';
import { adminInvitations, admins, me, notifications, passkeys, policyChanges, preferences, roles, session } from './people.ts';
import { products } from './products.ts';
import { http, llm, runner, taskRuns } from './runner.ts';
import { replays, runs } from './runs.ts';
import { auditLog, changes, logs, mails, settings, webhooks } from './shop-wide.ts';
import { proposals, taskExamples, taskSecrets, tasks, taskVariables } from './tasks.ts';

/** The examples by resource, in the order in which they are carried out. The compiler finds a resource or an operation without one. */
const byResource: { readonly [Name in Resource]: ExamplesOf<Name> } = {
  settings,
  tax_rates: taxRates,
  shipping_methods: shippingMethods,
  pickup_locations: pickupLocations,
  order_statuses: orderStatuses,
  vouchers,
  discount_groups: discountGroups,
  files,
  media,
  pages,
  themes,
  access_groups: accessGroups,
  products,
  customers,
  inquiries,
  orders,
  subscriptions,
  dashboard,
  roles,
  passkeys,
  session,
  admins,
  admin_invitations: adminInvitations,
  policy_changes: policyChanges,
  me,
  preferences,
  notifications,
  webhooks,
  ai_tasks: { ...tasks, ...runs, ...automation },
  task_examples: taskExamples,
  task_secrets: taskSecrets,
  task_variables: taskVariables,
  replays,
  proposals,
  runner,
  task_runs: taskRuns,
  http,
  llm,
  mails,
  assistant,
  logs,
  audit_log: auditLog,
  changes,
};

/** An example without the types of its endpoint. */
export type AnyExample = Details & { params?: Readonly<Record<string, string | number>>; query?: unknown; body?: unknown };
export type AnyMade = AnyExample | ((shop: ExampleShop) => AnyExample | Promise<AnyExample>);

export const examples: readonly (readonly [EndpointId, AnyMade])[] = Object.values(byResource).flatMap(
  (own: Readonly<Record<string, AnyMade>>) =>
    Object.entries(own).map(([id, made]): [EndpointId, AnyMade] => {
      if (!isEndpointId(id)) throw new Error(`no endpoint is called ${id}`);
      return [id, made];
    }),
);

function isEndpointId(id: string): id is EndpointId {
  return Object.hasOwn(endpoints, id);
}
