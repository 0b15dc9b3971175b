import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { WaitingCount } from '../parts/waiting.tsx';
import { text } from '../texts/app.ts';

/** A part of the console that the navigation leads to; shown to those who hold its permission. */
export type Area = {
  to: Exclude<NonNullable<LinkProps['to']>, `${string}$${string}`>;
  name: string;
  permission?: string;
  /** The two letters that lead there. */
  keys?: string;
  /** The name of the act that makes a record there, for those who may write what the area shows. */
  create?: string;
  /** Where a record is made that has a page of its own for that; others are made in a sheet beside the list. */
  newAt?: string;
  /** Shown beside the name: how much waits there. */
  Count?: ComponentType;
};

const t = text.areas;
const create = text.palette.create;

export const areaGroups: readonly { name?: string; areas: readonly Area[] }[] = [
  {
    areas: [
      { to: '/', name: t.overview, keys: 'g h' },
      { to: '/orders', name: t.orders, keys: 'g o', permission: 'admin_api.orders.read', create: create.order, newAt: '/orders/new' },
      { to: '/products', name: t.products, keys: 'g p', permission: 'admin_api.products.read', create: create.product },
      { to: '/customers', name: t.customers, keys: 'g c', permission: 'admin_api.customers.read', create: create.customer },
    ],
  },
  {
    name: t.groups.shop,
    areas: [
      { to: '/inquiries', name: t.inquiries, permission: 'admin_api.inquiries.read', create: create.inquiry },
      { to: '/subscriptions', name: t.subscriptions, permission: 'admin_api.subscriptions.read' },
      { to: '/pages', name: t.pages, permission: 'admin_api.pages.read', create: create.page },
      { to: '/themes', name: t.themes, permission: 'admin_api.themes.read', create: create.theme },
      { to: '/access-groups', name: t.accessGroups, permission: 'admin_api.access_groups.read', create: create.accessGroup },
    ],
  },
  {
    name: t.groups.library,
    areas: [
      { to: '/library/media', name: t.media, permission: 'admin_api.media.read', create: create.image },
      { to: '/library/files', name: t.files, permission: 'admin_api.files.read', create: create.file },
      { to: '/library/vouchers', name: t.vouchers, permission: 'admin_api.vouchers.read', create: create.voucher },
      {
        to: '/library/discount-groups',
        name: t.discountGroups,
        permission: 'admin_api.discount_groups.read',
        create: create.discountGroup,
      },
      {
        to: '/library/pickup-locations',
        name: t.pickupLocations,
        permission: 'admin_api.pickup_locations.read',
        create: create.pickupLocation,
      },
      {
        to: '/library/shipping-methods',
        name: t.shippingMethods,
        permission: 'admin_api.shipping_methods.read',
        create: create.shippingMethod,
      },
      { to: '/library/order-statuses', name: t.orderStatuses, permission: 'admin_api.order_statuses.read', create: create.orderStatus },
      { to: '/library/tax-rates', name: t.taxRates, permission: 'admin_api.tax_rates.read', create: create.taxRate },
    ],
  },
  {
    name: t.groups.automation,
    areas: [
      { to: '/tasks', name: t.tasks, keys: 'g t', permission: 'admin_api.ai_tasks.read', create: create.task, newAt: '/tasks/new' },
      { to: '/runs', name: t.runs, permission: 'admin_api.ai_tasks.read' },
      { to: '/approvals', name: t.approvals, keys: 'g a', permission: 'admin_api.ai_tasks.read', Count: WaitingCount },
      { to: '/library/secrets', name: t.secrets, permission: 'admin_api.task_secrets.read', create: create.secret },
      { to: '/library/variables', name: t.variables, permission: 'admin_api.task_variables.read', create: create.variable },
    ],
  },
  {
    areas: [
      { to: '/activity', name: t.activity },
      { to: '/settings', name: t.settings },
    ],
  },
];

export const areas: readonly Area[] = areaGroups.flatMap((group) => group.areas);

/** Where a record of the area is made. */
export function newPath({ to, newAt }: Area): string {
  return newAt ?? `${to}?new=true`;
}
