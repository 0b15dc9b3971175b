import { text } from '../texts/en.ts';

/** A part of the console that the navigation leads to; shown to those who hold its permission. */
export type Area = { to: '/' | '/orders'; name: string; permission?: string };

const t = text.areas;

export const areaGroups: readonly { name?: string; areas: readonly Area[] }[] = [
  {
    areas: [
      { to: '/', name: t.overview },
      { to: '/orders', name: t.orders, permission: 'admin_api.orders.read' },
    ],
  },
];
