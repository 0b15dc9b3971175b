import { api } from '../../api/client.ts';

const {
  media,
  files,
  vouchers,
  discount_groups,
  pickup_locations,
  shipping_methods,
  order_statuses,
  tax_rates,
  task_secrets,
  task_variables,
} = api;

/** The calls of the kinds; `library-page.tsx` makes their queries. */
export const calls = {
  media,
  files,
  vouchers,
  discount_groups,
  pickup_locations,
  shipping_methods,
  order_statuses,
  tax_rates,
  task_secrets,
  task_variables,
};
