import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CallOptions } from '../../../contract/calls.ts';
import type { OrderEditPayload } from '../../../contract/order-edits.ts';
import type { InternalOrderStatus } from '../../../contract/order-statuses.ts';
import { api, type Tagged } from '../../api/client.ts';
import { queryOf, recordOf } from '../../parts/queries.ts';

/** An order with its ETag. */
export const orderRecord = recordOf('orders.get', api.orders.get);

/** The order as it is now, after somebody else has changed it. */
export function rereadOrder(queries: QueryClient, id: number) {
  return queries.fetchQuery({ ...orderRecord(id), staleTime: 0 });
}

/** Reads anew what a change of an order may have changed; resolves when it is on the screen. */
export function refreshOrders(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => /^(orders|dashboard)\./.test(String(name)) });
}

export const orderWrites = {
  status: api.orders.update_status,
  paymentStatus: api.orders.update_payment_status,
  internalStatus: api.orders.update_internal_status,
  shipping: api.orders.update_shipping,
  deliveryDate: api.orders.update_delivery_date,
  testFlag: api.orders.update_test_flag,
  edit: api.orders.edit,
  createPayment: api.orders.create_payment,
  updatePayment: api.orders.update_payment,
  reorderPayments: api.orders.reorder_payments,
  deletePayment: api.orders.delete_payment,
  fetchRates: (id: number, options: CallOptions) => api.orders.create_shipment(id, options),
  buyLabel: api.orders.buy_label,
  refreshShipment: api.orders.refresh_shipment,
  deleteShipment: api.orders.delete_shipment,
  lockerShipment: api.orders.create_locker_shipment,
  activateSubscription: api.subscriptions.activate,
};

export const orderPayments = queryOf('orders.list_payments', api.orders.list_payments);
export const orderShipments = queryOf('orders.list_shipments', api.orders.list_shipments);

/** What a change of the status would do to these orders, as they are now. */
export const statusPreview = queryOf('orders.preview_status', api.orders.preview_status, { staleTime: 0, gcTime: 0 });

/** What an edit would change. Each edit has an answer of its own, so a late one never covers a newer one. */
export function editPreview(id: number, { etag }: Pick<Tagged<unknown>, 'etag'>, body: OrderEditPayload) {
  return queryOptions({
    queryKey: ['orders.preview_edit', id, body, etag],
    queryFn: () => api.orders.preview_edit(id, body),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

export const internalStatuses = {
  ...queryOf('order_statuses.list', api.order_statuses.list, { staleTime: 60_000 })({ per_page: 100 }),
  select: ({ data }: { data: InternalOrderStatus[] }) => data,
};

const FOUND_MAX = 12;

/** Variants that an order can take, by product, label or SKU. */
export function foundVariants(typed: string, noteOf: (found: { price_cents: number; stock: number | null }) => string) {
  const query = { search: typed, on_sale: true, limit: FOUND_MAX };
  return queryOptions({
    queryKey: ['products.search_variants', query],
    queryFn: async () => {
      const found = await api.products.search_variants(query);
      return found.map((variant) => ({
        ...variant,
        name: nameOf(variant),
        note: noteOf({ price_cents: variant.price_cents, stock: variant.track_stock ? variant.stock : null }),
      }));
    },
    placeholderData: keepPreviousData,
  });
}

/** The fields that a buyer of the product fills in. */
export async function customFieldsOf(productId: number) {
  return (await api.products.get(productId)).custom_fields;
}

export function nameOf({ product_name, label }: { product_name: string; label: string }): string {
  return label === '' ? product_name : `${product_name}, ${label}`;
}
