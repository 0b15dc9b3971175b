import type { ExamplesOf } from './example.ts';

const customer = { name: 'Nora Lindqvist', email: 'nora.lindqvist@example.org', phone: '' };
const shipping_address = { line1: 'Götgatan 1', city: 'Stockholm', postal_code: '116 46', country: 'SE' };
const byPhone = {
  customer,
  shipping_address,
  items: [{ variant_id: 22, quantity: 2 }],
  shipping: { kind: 'configured', method_id: 1 },
  payment_status: 'pending',
  register_customer: false,
  send_confirmation_email: false,
} as const;
/** The lines of the orders that are edited. */
const edit = { items_mode: 'merge', items: [{ product_id: 9, variant_id: 23, quantity: 1 }], delivery_date: '2027-01-15' } as const;

export const orders: ExamplesOf<'orders'> = {
  'orders.list': { query: { status: 'processing', payment_status: 'paid', sort: '-created_at', per_page: 2 } },
  'orders.get': { params: { id: 71 } },
  'orders.list_ids': { query: { needs: 'attention' } },
  'orders.calendar': { query: { month: new Date().toISOString().slice(0, 7) } },
  'orders.preview': { body: { ...byPhone, items: [...byPhone.items] } },
  'orders.create': { body: { ...byPhone, items: [...byPhone.items], notes: 'Ordered by phone' } },
  'orders.preview_edit': ({ got }) => ({ params: { id: got('orders.create').id }, body: { ...edit, items: [...edit.items] } }),
  'orders.edit': ({ got }) => ({
    params: { id: got('orders.create').id },
    body: { ...edit, items: [...edit.items], expected_total_cents: got('orders.preview_edit').totals_after.total },
  }),
  'orders.list_edits': ({ got }) => ({ params: { id: got('orders.create').id } }),
  'orders.create_payment': ({ got }) => ({
    params: { order_id: got('orders.create').id },
    body: { label: 'Bank transfer', amount_cents: 1000, paid: true },
  }),
  'orders.list_payments': ({ got }) => ({ params: { order_id: got('orders.create').id } }),
  'orders.update_payment': ({ got }) => ({
    params: { order_id: got('orders.create').id, id: got('orders.create_payment').id },
    body: { note: 'Reference 2026-1184' },
  }),
  'orders.reorder_payments': ({ got }) => ({
    params: { order_id: got('orders.create').id },
    body: { items: got('orders.list_payments').map(({ id }, n, all) => ({ id, sort_order: all.length - n })) },
  }),
  'orders.delete_payment': ({ got }) => ({ params: { order_id: got('orders.create').id, id: got('orders.create_payment').id } }),
  'orders.update_payment_status': ({ got }) => ({ params: { id: got('orders.create').id }, body: { payment_status: 'paid' } }),
  'orders.update_status': ({ got }) => ({ params: { id: got('orders.create').id }, body: { status: 'processing' } }),
  'orders.update_delivery_date': ({ got }) => ({ params: { id: got('orders.create').id }, body: { delivery_date: '2027-01-20' } }),
  'orders.update_internal_status': ({ got }) => ({ params: { id: got('orders.create').id }, body: { internal_status_id: 3 } }),
  'orders.update_test_flag': { params: { id: 80 }, body: { is_test: true } },
  'orders.create_comment': ({ got }) => ({ params: { id: got('orders.create').id }, body: { body: 'Wrap it as a present.' } }),
  'orders.get_comment': ({ got }) => ({ params: { id: got('orders.create').id, comment_id: got('orders.create_comment').id } }),
  'orders.update_comment': ({ got }) => ({
    params: { id: got('orders.create').id, comment_id: got('orders.create_comment').id },
    body: { body: 'Wrap it as a present, in blue.' },
  }),
  'orders.delete_comment': ({ got }) => ({ params: { id: got('orders.create').id, comment_id: got('orders.create_comment').id } }),
  'orders.create_shipment': ({ got }) => ({ params: { id: got('orders.create').id } }),
  'orders.buy_label': ({ got }) => ({
    params: { id: got('orders.create').id, sid: got('orders.create_shipment').shipment.id },
    body: { courier_id: 'standard', courier_name: 'Standard' },
    note: 'The shop has no courier’s account: it prints labels by its own rate card.',
  }),
  'orders.refresh_shipment': ({ got }) => ({ params: { id: got('orders.create').id, sid: got('orders.create_shipment').shipment.id } }),
  'orders.list_shipments': ({ got }) => ({ params: { id: got('orders.create').id } }),
  'orders.delete_shipment': ({ got }) => ({ params: { id: got('orders.create').id, sid: got('orders.create_shipment').shipment.id } }),
  'orders.create_locker_shipment': async ({ api, got }) => {
    await api.settings.update({ locker_networks: ['parcel-lockers'] });
    return {
      params: { order_id: got('orders.create').id, locker_network: 'parcel-lockers' },
      body: { provider_shipment_id: 'PL-550193' },
      note: 'The settings name this locker network.',
    };
  },
  'orders.update_shipping': ({ got }) => ({
    params: { id: got('orders.create').id },
    body: { tracking_number: 'PL-550193', status: 'shipped' },
  }),
  'orders.preview_status': { body: { ids: [99, 111, 999], status: 'cancelled' } },
  'orders.bulk_status': { body: { ids: [99, 111, 999], status: 'cancelled', from_status: 'pending' } },
  'orders.timeline': ({ got }) => ({ params: { id: got('orders.create').id }, query: { per_page: 3 } }),
};

export const subscriptions: ExamplesOf<'subscriptions'> = {
  'subscriptions.list': { query: { status: 'active', per_page: 1 } },
  'subscriptions.get': { params: { id: 5 } },
  'subscriptions.list_invoices': { params: { id: 5 } },
  'subscriptions.activate': async ({ paidSubscriptionOrder }) => ({
    params: { id: await paidSubscriptionOrder() },
    body: { external_subscription_id: 'sub_1QxV2e', external_customer_id: 'cus_R4mT9k' },
    note: 'The order came from a storefront, was paid there, and has a line of a subscription.',
  }),
  'subscriptions.cancel': ({ got }) => ({
    params: { id: got('subscriptions.activate').id },
    note: 'The subscription was activated by hand, so no provider was told.',
  }),
};

export const dashboard: ExamplesOf<'dashboard'> = {
  'dashboard.get': {},
  'dashboard.trends': { query: { days: 7, compare: true } },
  'dashboard.insights': {},
  'dashboard.subscriptions': {},
};
