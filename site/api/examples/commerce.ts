import type { ExamplesOf } from './example.ts';

/** Tax rates, ways of delivery, pickup locations, statuses, vouchers and discount groups. */

export const taxRates: ExamplesOf<'tax_rates'> = {
  'tax_rates.list': {},
  'tax_rates.create': { body: { name: 'Reduced rate, Ireland', rate_bps: 1350, country: 'IE' } },
  'tax_rates.get': ({ got }) => ({ params: { id: got('tax_rates.create').id } }),
  'tax_rates.update': ({ got }) => ({ params: { id: got('tax_rates.create').id }, body: { rate_bps: 900 } }),
  'tax_rates.delete': ({ got }) => ({ params: { id: got('tax_rates.create').id } }),
};

export const shippingMethods: ExamplesOf<'shipping_methods'> = {
  'shipping_methods.list': {},
  'shipping_methods.create': {
    body: { name: 'Cargo bike', price_cents: 590, countries: ['IE'], delivery_estimate: 'this evening', tax_rate_id: 1 },
  },
  'shipping_methods.get': ({ got }) => ({ params: { id: got('shipping_methods.create').id } }),
  'shipping_methods.update': ({ got }) => ({ params: { id: got('shipping_methods.create').id }, body: { free_over_cents: 4000 } }),
  'shipping_methods.delete': ({ got }) => ({ params: { id: got('shipping_methods.create').id } }),
};

export const pickupLocations: ExamplesOf<'pickup_locations'> = {
  'pickup_locations.list': {},
  'pickup_locations.create': {
    body: {
      name: 'Winter market',
      line1: '3 Emmet Place',
      city: 'Cork',
      postal_code: 'T12 WF2K',
      country: 'IE',
      opening_hours: 'Sa, Su 10:00-18:00',
    },
  },
  'pickup_locations.get': ({ got }) => ({ params: { id: got('pickup_locations.create').id } }),
  'pickup_locations.update': ({ got }) => ({ params: { id: got('pickup_locations.create').id }, body: { active: false } }),
  'pickup_locations.delete': ({ got }) => ({ params: { id: got('pickup_locations.create').id } }),
};

export const orderStatuses: ExamplesOf<'order_statuses'> = {
  'order_statuses.list': {},
  'order_statuses.create': { body: { name: 'At the engraver', color: '#2d72d2', sort_order: 4 } },
  'order_statuses.get': ({ got }) => ({ params: { id: got('order_statuses.create').id } }),
  'order_statuses.update': ({ got }) => ({ params: { id: got('order_statuses.create').id }, body: { name: 'At the engraver’s' } }),
  'order_statuses.delete': ({ got }) => ({ params: { id: got('order_statuses.create').id }, query: { reassign_to: 1 } }),
};

export const vouchers: ExamplesOf<'vouchers'> = {
  'vouchers.list': { query: { search: 'ship' } },
  'vouchers.create': {
    body: { code: 'WINTER10', kind: 'percent', percent_bps: 1000, min_subtotal_cents: 3000, usage_limit: 200, per_customer_limit: 1 },
  },
  'vouchers.get': ({ got }) => ({ params: { id: got('vouchers.create').id } }),
  'vouchers.update': ({ got }) => ({ params: { id: got('vouchers.create').id }, body: { usage_limit: 500 } }),
  'vouchers.delete': ({ got }) => ({ params: { id: got('vouchers.create').id } }),
};

export const discountGroups: ExamplesOf<'discount_groups'> = {
  'discount_groups.list': {},
  'discount_groups.create': { body: { name: 'Cafés', percent_bps: 1250 } },
  'discount_groups.get': ({ got }) => ({ params: { id: got('discount_groups.create').id } }),
  'discount_groups.update': ({ got }) => ({ params: { id: got('discount_groups.create').id }, body: { percent_bps: 1500 } }),
  'discount_groups.delete': ({ got }) => ({ params: { id: got('discount_groups.create').id } }),
};
