import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { text } from '../texts/en/app.ts';
import { WaitingCount } from './waiting.tsx';

/** A part of the console that the navigation leads to; shown to those who hold its permission. */
export type Area = {
  to: Exclude<NonNullable<LinkProps['to']>, `${string}$${string}`>;
  name: string;
  permission?: string;
  /** Shown beside the name: how much waits there. */
  Count?: ComponentType;
};

const t = text.areas;

export const areaGroups: readonly { name?: string; areas: readonly Area[] }[] = [
  {
    areas: [
      { to: '/', name: t.overview },
      { to: '/orders', name: t.orders, permission: 'admin_api.orders.read' },
      { to: '/products', name: t.products, permission: 'admin_api.products.read' },
      { to: '/customers', name: t.customers, permission: 'admin_api.customers.read' },
    ],
  },
  {
    name: t.groups.shop,
    areas: [
      { to: '/inquiries', name: t.inquiries, permission: 'admin_api.inquiries.read' },
      { to: '/subscriptions', name: t.subscriptions, permission: 'admin_api.subscriptions.read' },
      { to: '/pages', name: t.pages, permission: 'admin_api.pages.read' },
      { to: '/themes', name: t.themes, permission: 'admin_api.themes.read' },
      { to: '/access-groups', name: t.accessGroups, permission: 'admin_api.access_groups.read' },
    ],
  },
  {
    name: t.groups.library,
    areas: [
      { to: '/library/media', name: t.media, permission: 'admin_api.media.read' },
      { to: '/library/files', name: t.files, permission: 'admin_api.files.read' },
      { to: '/library/vouchers', name: t.vouchers, permission: 'admin_api.vouchers.read' },
      { to: '/library/discount-groups', name: t.discountGroups, permission: 'admin_api.discount_groups.read' },
      { to: '/library/pickup-locations', name: t.pickupLocations, permission: 'admin_api.pickup_locations.read' },
      { to: '/library/shipping-methods', name: t.shippingMethods, permission: 'admin_api.shipping_methods.read' },
      { to: '/library/order-statuses', name: t.orderStatuses, permission: 'admin_api.order_statuses.read' },
      { to: '/library/tax-rates', name: t.taxRates, permission: 'admin_api.tax_rates.read' },
    ],
  },
  {
    name: t.groups.automation,
    areas: [
      { to: '/tasks', name: t.tasks, permission: 'admin_api.ai_tasks.read' },
      { to: '/runs', name: t.runs, permission: 'admin_api.ai_tasks.read' },
      { to: '/approvals', name: t.approvals, permission: 'admin_api.ai_tasks.read', Count: WaitingCount },
    ],
  },
  {
    areas: [
      { to: '/activity', name: t.activity },
      { to: '/settings', name: t.settings },
    ],
  },
];
