import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { queryOf } from '../../parts/queries.ts';

const FOUND_MAX = 12;
const MINUTE_MS = 60_000;

/** The totals of an order that is being typed. */
export const phonePreview = queryOf('orders.preview', api.orders.preview, { placeholderData: keepPreviousData, gcTime: 0 });

export const createPhoneOrder = api.orders.create;
export const readCustomer = api.customers.get;

export function foundCustomers(typed: string) {
  const query = { search: typed, per_page: FOUND_MAX, sort: 'name' as const };
  return queryOptions({
    queryKey: ['customers.list', query],
    queryFn: async () => {
      const { data } = await api.customers.list(query);
      return data.map(({ id, name, email }) => ({ id, name, note: email }));
    },
    placeholderData: keepPreviousData,
  });
}

/** The ways to send that can be chosen; at most as many as one page has. */
export const shippingMethods = queryOptions({
  queryKey: ['shipping_methods.list', { per_page: 100 }],
  queryFn: async () => (await api.shipping_methods.list({ per_page: 100 })).data.filter(({ active }) => active),
  staleTime: MINUTE_MS,
});

export const pickupLocations = queryOptions({
  queryKey: ['pickup_locations.list', { per_page: 100 }],
  queryFn: async () => (await api.pickup_locations.list({ per_page: 100 })).data.filter(({ active }) => active),
  staleTime: MINUTE_MS,
});

/** How many orders are to be delivered on each day of the weeks that a month touches. */
export const calendarMonth = queryOf('orders.calendar', api.orders.calendar, { placeholderData: keepPreviousData });
