import type { LinkProps } from '@tanstack/react-router';
import { text } from '../texts/app.ts';
import type { IconName } from '../ui/icon.tsx';

/** A part of the console that the navigation leads to; shown to those who hold its permission. */
export type Area = {
  to: Exclude<NonNullable<LinkProps['to']>, `${string}$${string}`>;
  name: string;
  icon: IconName;
  permission?: string;
  /** The two letters that lead there. */
  keys?: string;
  /** The name of the act that makes a record there, for those who may write what the area shows. */
  create?: string;
  /** Where a record is made that has a page of its own for that; others are made in a sheet beside the list. */
  newAt?: string;
};

const t = text.areas;
const create = text.palette.create;

/** Areas beneath one head; a group with a name can be folded, and is remembered by its id. */
export type AreaGroup = { id: string; name?: string; areas: readonly Area[] };

export const areaGroups: readonly AreaGroup[] = [
  {
    id: 'daily',
    areas: [
      { to: '/', name: t.overview, icon: 'overview', keys: 'g h' },
      {
        to: '/orders',
        name: t.orders,
        icon: 'orders',
        keys: 'g o',
        permission: 'admin_api.orders.read',
        create: create.order,
        newAt: '/orders/new',
      },
      { to: '/products', name: t.products, icon: 'products', keys: 'g p', permission: 'admin_api.products.read', create: create.product },
      {
        to: '/customers',
        name: t.customers,
        icon: 'customers',
        keys: 'g c',
        permission: 'admin_api.customers.read',
        create: create.customer,
      },
    ],
  },
  {
    id: 'shop',
    name: t.groups.shop,
    areas: [
      { to: '/inquiries', name: t.inquiries, icon: 'inquiries', permission: 'admin_api.inquiries.read', create: create.inquiry },
      { to: '/subscriptions', name: t.subscriptions, icon: 'subscriptions', permission: 'admin_api.subscriptions.read' },
      { to: '/pages', name: t.pages, icon: 'pages', permission: 'admin_api.pages.read', create: create.page },
      { to: '/themes', name: t.themes, icon: 'themes', permission: 'admin_api.themes.read', create: create.theme },
      {
        to: '/access-groups',
        name: t.accessGroups,
        icon: 'accessGroups',
        permission: 'admin_api.access_groups.read',
        create: create.accessGroup,
      },
    ],
  },
  {
    id: 'library',
    name: t.groups.library,
    areas: [
      { to: '/library/media', name: t.media, icon: 'media', permission: 'admin_api.media.read', create: create.image },
      { to: '/library/files', name: t.files, icon: 'files', permission: 'admin_api.files.read', create: create.file },
      { to: '/library/vouchers', name: t.vouchers, icon: 'vouchers', permission: 'admin_api.vouchers.read', create: create.voucher },
      {
        to: '/library/discount-groups',
        name: t.discountGroups,
        icon: 'discountGroups',
        permission: 'admin_api.discount_groups.read',
        create: create.discountGroup,
      },
      {
        to: '/library/pickup-locations',
        name: t.pickupLocations,
        icon: 'pickupLocations',
        permission: 'admin_api.pickup_locations.read',
        create: create.pickupLocation,
      },
      {
        to: '/library/shipping-methods',
        name: t.shippingMethods,
        icon: 'shippingMethods',
        permission: 'admin_api.shipping_methods.read',
        create: create.shippingMethod,
      },
      {
        to: '/library/order-statuses',
        name: t.orderStatuses,
        icon: 'orderStatuses',
        permission: 'admin_api.order_statuses.read',
        create: create.orderStatus,
      },
      { to: '/library/tax-rates', name: t.taxRates, icon: 'taxRates', permission: 'admin_api.tax_rates.read', create: create.taxRate },
    ],
  },
  {
    id: 'automation',
    name: t.groups.automation,
    areas: [
      {
        to: '/tasks',
        name: t.tasks,
        icon: 'tasks',
        keys: 'g t',
        permission: 'admin_api.ai_tasks.read',
        create: create.task,
        newAt: '/tasks/new',
      },
      { to: '/runs', name: t.runs, icon: 'runs', permission: 'admin_api.ai_tasks.read' },
      { to: '/errors', name: t.errors, icon: 'errors', permission: 'admin_api.ai_tasks.read' },
      { to: '/approvals', name: t.approvals, icon: 'approvals', keys: 'g a', permission: 'admin_api.ai_tasks.read' },
      { to: '/library/secrets', name: t.secrets, icon: 'secrets', permission: 'admin_api.task_secrets.read', create: create.secret },
      {
        to: '/library/variables',
        name: t.variables,
        icon: 'variables',
        permission: 'admin_api.task_variables.read',
        create: create.variable,
      },
    ],
  },
  {
    id: 'office',
    areas: [
      { to: '/activity', name: t.activity, icon: 'activity' },
      { to: '/settings', name: t.settings, icon: 'settings' },
    ],
  },
];

export const areas: readonly Area[] = areaGroups.flatMap((group) => group.areas);

/** Where a record of the area is made. */
export function newPath({ to, newAt }: Area): string {
  return newAt ?? `${to}?new=true`;
}
