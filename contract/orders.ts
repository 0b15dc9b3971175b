import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { changingPageOf, changingQuery, updatedSince } from './paging.ts';
import { BillingAddress, CustomFieldValue } from './people.ts';
import { CalendarDate, Cents, DecimalAmount, Id, Name, Search, Timestamp, text, wordsIn } from './values.ts';

/** `cancelled` with two l; subscriptions have `canceled` (spec G12). */
export const orderStatuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const;
export const OrderStatus = z.enum(orderStatuses).meta({ id: 'OrderStatus' });
export type OrderStatus = z.infer<typeof OrderStatus>;

/** The statuses of orders that are still to be sent. */
export const unsentStatuses = ['pending', 'processing'] as const satisfies readonly OrderStatus[];

export const orderNeeds = ['sending', 'attention'] as const;

export const paymentStatuses = ['none', 'pending', 'paid', 'refunded', 'failed'] as const;
export const PaymentStatus = z.enum(paymentStatuses).meta({ id: 'PaymentStatus' });
export type PaymentStatus = z.infer<typeof PaymentStatus>;

export const paymentProgresses = ['unpaid', 'partial', 'paid', 'overpaid'] as const;
export const PaymentProgress = z.enum(paymentProgresses);
export type PaymentProgress = z.infer<typeof PaymentProgress>;

export const orderSorts = [
  'customer_name',
  '-customer_name',
  'total',
  '-total',
  'status',
  '-status',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
] as const;

export const OrderRow = z
  .object({
    id: Id,
    status: OrderStatus,
    payment_status: PaymentStatus,
    customer_name: z.string(),
    customer_email: z.string(),
    total: Cents,
    created_at: Timestamp,
    updated_at: Timestamp,
    public_id: z.string(),
    is_test: z.boolean(),
    delivery_date: CalendarDate.nullable(),
    internal_status_id: Id.nullable(),
    customer_id: Id.nullable(),
    shipping_country: z.string(),
    currency: z.string(),
  })
  .meta({ id: 'OrderRow' });
export type OrderRow = z.infer<typeof OrderRow>;

export const OrderItem = z
  .object({
    id: Id,
    product_id: Id,
    variant_id: Id,
    product_name: z.string(),
    product_sku: z.string(),
    unit_price: Cents,
    quantity: z.int(),
    subtotal: Cents,
    tax_rate: z.int().meta({ description: 'Basis points: 2700 is 27 %' }),
    tax_amount: Cents,
    variant_label: z.string(),
    custom_fields: z.array(CustomFieldValue),
  })
  .meta({ id: 'OrderItem' });
export type OrderItem = z.infer<typeof OrderItem>;

export const OrderDownload = z
  .object({
    token: z.string(),
    product_id: Id,
    file_id: Id,
    filename: z.string(),
    url: z.string(),
    expires_at: Timestamp.nullable(),
    remaining: z.int().nullable().meta({ description: 'Downloads left; null: no limit' }),
  })
  .meta({ id: 'OrderDownload' });
export type OrderDownload = z.infer<typeof OrderDownload>;

export const OrderDetail = OrderRow.extend({
  customer_phone: z.string(),
  shipping_line1: z.string(),
  shipping_line2: z.string(),
  shipping_city: z.string(),
  shipping_state: z.string(),
  shipping_postal_code: z.string(),
  notes: z.string(),
  subtotal: Cents,
  tax_amount: Cents,
  shipping_method: z.string(),
  shipping_cost: Cents,
  payment_provider: z.string(),
  pickup_location_id: Id.nullable(),
  pickup_location_name: z.string().nullable(),
  tracking_number: z.string(),
  ip_address: z.string(),
  invoice_url: z.string().nullable(),
  items: z.array(OrderItem),
  prices_include_tax: z.boolean(),
  discount_amount: Cents,
  discount_reason: z.string().nullable(),
  voucher_code: z.string().nullable(),
  internal_notes: z.string().nullable(),
  billing_address: BillingAddress.nullable(),
  paid_total_cents: Cents,
  balance_due_cents: Cents,
  payment_progress: PaymentProgress,
  downloads: z.array(OrderDownload),
}).meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof OrderDetail>;

/** So many characters at least of a public id tell which order is meant. */
const PREFIX_MIN = 3;

/** What somebody types to find one order. */
const OrderNumber = text({ max: 50, trim: true }).refine((value) => value.length >= PREFIX_MIN || /^\d+$/.test(value), {
  message: `must be the id of an order, or at least the first ${PREFIX_MIN} characters of its public_id`,
  params: { code: 'invalid_value' },
});

const filters = {
  search: Search.optional(),
  q: wordsIn(
    'the name or email of the customer, a phone number (at least three digits, whatever stands between them), or be the id or the beginning of the public id',
  ),
  status: OrderStatus.optional(),
  payment_status: PaymentStatus.optional(),
  needs: z.enum(orderNeeds).optional().meta({
    description:
      '`sending`: only orders that are pending or processing; `attention`: those of them that were paid more than 24 hours ago, or whose expected delivery date has passed, which the dashboard counts',
  }),
  payment_progress: PaymentProgress.optional().meta({ description: 'How much of the total is paid' }),
  total_min: DecimalAmount.optional(),
  total_max: DecimalAmount.optional(),
  customer_id: Id.optional(),
  internal_status_id: z
    .union([z.literal('none', 'must be the id of an internal status, or none'), Id])
    .optional()
    .meta({ description: 'The id of an internal status; `none`: orders without one' }),
  include_test: z.boolean().default(false),
};

const listFilters = {
  ...filters,
  test_only: z.boolean().default(false),
  live_only: z
    .boolean()
    .default(false)
    .meta({ description: 'true: only orders that are neither cancelled nor refunded, which are those that the calendar counts' }),
  number: OrderNumber.optional().meta({
    description: `The id of an order, or the first ${PREFIX_MIN} or more characters of its public_id in any case`,
  }),
  created_from: CalendarDate.optional(),
  created_to: CalendarDate.optional(),
  delivery_from: CalendarDate.optional().meta({
    description: 'First expected delivery date, inclusive; orders without one are left out',
  }),
  delivery_to: CalendarDate.optional().meta({ description: 'Last expected delivery date, inclusive; orders without one are left out' }),
  no_delivery_date: z
    .boolean()
    .default(false)
    .meta({ description: 'true: only orders without an expected delivery date; not together with `delivery_from` or `delivery_to`' }),
};

/** Refuses a query for orders that have a delivery date and have none. */
function refuseContradiction<T extends z.ZodObject>(query: T): T {
  return query.superRefine((value, ctx) => {
    if (value['no_delivery_date'] !== true) return;
    for (const name of ['delivery_from', 'delivery_to']) {
      if (value[name] === undefined) continue;
      ctx.addIssue({
        code: 'custom',
        path: [name],
        message: 'cannot be used together with no_delivery_date',
        params: { code: 'invalid_value' },
      });
    }
  });
}

/** The most ids that one request lists. */
export const IDS_MAX = 10_000;

/** Largest number of orders in one bulk write. */
export const BULK_MAX = 250;

const described = (description: string) => z.int().meta({ description });

/** What a change of the status would do besides the status itself. */
export const OrderStatusPreview = z
  .object({
    from: z
      .array(z.object({ status: OrderStatus, ids: z.array(Id) }))
      .meta({ description: 'The orders that exist, by the status that they have now' }),
    returned_pieces: described('Pieces that come back into stock'),
    sent_orders: described('Orders that would be cancelled although they were sent: their stock does not come back'),
    returned_vouchers: described('Orders whose voucher could be used again'),
    paid_orders: described('Orders that would be cancelled although something was paid: nothing is paid back'),
    bought_labels: described('Labels that were bought for orders that would be cancelled: they stay bought'),
    ended_downloads: described('Download links that would end'),
    ended_accesses: described('Accesses to groups that would end'),
    new_downloads: described('Download links that the buyers would get'),
    started_tasks: described('Tasks with a trigger that listens to such a change; the filter of the trigger is not looked at'),
  })
  .meta({ id: 'OrderStatusPreview' });
export type OrderStatusPreview = z.infer<typeof OrderStatusPreview>;

export const ordersEndpoints = endpointsOf(
  {
    id: 'orders.list',
    method: 'GET',
    path: '/orders',
    summary: 'List orders; test orders are left out unless asked for',
    permission: 'admin_api.orders.read',
    query: refuseContradiction(changingQuery(listFilters, orderSorts)),
    response: changingPageOf(OrderRow),
  },
  {
    id: 'orders.list_ids',
    method: 'GET',
    path: '/orders/ids',
    summary: `List the ids of all orders that match, at most ${IDS_MAX.toLocaleString('en')}, in the order of the list`,
    permission: 'admin_api.orders.read',
    query: refuseContradiction(z.object({ ...listFilters, updated_since: updatedSince, sort: z.enum(orderSorts).default('-created_at') })),
    response: z.object({ ids: z.array(Id), total: z.int() }),
    refusals: ['too_many_matches'],
  },
  {
    id: 'orders.get',
    method: 'GET',
    path: '/orders/{id}',
    summary: 'Get an order with its items',
    permission: 'admin_api.orders.read',
    record: 'order',
    response: OrderDetail,
  },
  {
    id: 'orders.update_status',
    method: 'PATCH',
    path: '/orders/{id}/status',
    undo: 'restore',
    summary: 'Set the fulfilment status',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ status: OrderStatus }),
    status: 204,
    refusals: ['invalid_enum', 'insufficient_stock', 'voucher_exhausted', 'precondition_failed'],
  },
  {
    id: 'orders.bulk_status',
    method: 'POST',
    path: '/orders/bulk-status',
    undo: 'restore',
    summary: 'Set the fulfilment status of many orders; each order succeeds or fails on its own',
    permission: 'admin_api.orders.write',
    body: z.object({
      ids: z
        .array(Id)
        .max(BULK_MAX)
        .superRefine((ids, ctx) => {
          for (const [index, id] of ids.entries()) {
            if (ids.indexOf(id) === index) continue;
            ctx.addIssue({ code: 'custom', path: [index], message: 'is listed twice', params: { code: 'duplicate' } });
          }
        }),
      status: OrderStatus,
      from_status: OrderStatus.optional().meta({
        description: 'Only orders that have this status now are changed; of another, code `status_changed`',
      }),
    }),
    response: z.object({
      results: z.array(
        z
          .object({
            id: Id,
            status: OrderStatus.nullable().meta({ description: 'The status now; null: there is no such order' }),
            code: z
              .string()
              .exactOptional()
              .meta({ description: 'Why the order was not changed: not_found, status_changed, insufficient_stock or voucher_exhausted' }),
          })
          .meta({ id: 'BulkStatusResult' }),
      ),
    }),
    refusals: ['invalid_enum', 'duplicate'],
  },
  {
    id: 'orders.preview_status',
    method: 'POST',
    path: '/orders/bulk-status/preview',
    summary: `Preview a change of the fulfilment status of at most ${IDS_MAX.toLocaleString('en')} orders; nothing is written`,
    permission: 'admin_api.orders.read',
    body: z.object({ ids: z.array(Id).max(IDS_MAX), status: OrderStatus }),
    writes: false,
    response: OrderStatusPreview,
    refusals: ['invalid_enum'],
  },
  {
    id: 'orders.update_payment_status',
    method: 'PATCH',
    path: '/orders/{id}/payment-status',
    undo: 'restore',
    summary: 'Set the payment status',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ payment_status: PaymentStatus }),
    status: 204,
    refusals: ['invalid_enum', 'precondition_failed'],
  },
  {
    id: 'orders.update_shipping',
    method: 'PATCH',
    path: '/orders/{id}/shipping',
    undo: 'restore',
    summary: 'Set the tracking number and, if given, the status',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ tracking_number: text(), status: OrderStatus.nullable().optional() }),
    status: 204,
    refusals: ['invalid_enum', 'insufficient_stock', 'voucher_exhausted', 'precondition_failed'],
  },
  {
    id: 'orders.update_delivery_date',
    method: 'PATCH',
    path: '/orders/{id}/delivery-date',
    undo: 'restore',
    summary: 'Set the expected delivery date; null clears it',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ delivery_date: CalendarDate.nullable() }),
    status: 204,
    refusals: ['required', 'invalid_date', 'precondition_failed'],
  },
  {
    id: 'orders.update_test_flag',
    method: 'PATCH',
    path: '/orders/{id}/test-flag',
    undo: 'restore',
    summary: 'Mark an order as a test order, or remove the mark',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ is_test: z.boolean() }),
    status: 204,
    refusals: ['precondition_failed'],
  },
  {
    id: 'orders.update_internal_status',
    method: 'PATCH',
    path: '/orders/{id}/internal-status',
    undo: 'restore',
    summary: 'Set the internal workflow status; null clears it',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: z.object({ internal_status_id: Id.nullable() }),
    response: z.object({ id: Id, internal_status_id: Id.nullable() }),
    refusals: ['internal_status_not_found', 'precondition_failed'],
  },
  {
    id: 'orders.calendar',
    method: 'GET',
    path: '/orders/calendar',
    summary: 'Count orders by delivery date, for the whole weeks that contain a month',
    permission: 'admin_api.orders.read',
    query: z.object({
      ...filters,
      month: z.string().optional().meta({ description: 'YYYY-MM; anything else means the current month' }),
    }),
    response: z.object({
      grid_start: CalendarDate,
      grid_end: CalendarDate,
      days: z.array(z.object({ date: CalendarDate, count: z.int() })),
      no_delivery_date_count: z.int(),
    }),
  },
  {
    id: 'subscriptions.activate',
    method: 'POST',
    path: '/orders/{id}/activate-subscription',
    undo: { irreversible: 'The subscription runs at the payment provider, whatever the shop knows of it. Cancel it.' },
    summary: 'Create the subscription of a paid order whose payment provider never reported it',
    permission: 'admin_api.subscriptions.write',
    record: 'order',
    body: z.object({ external_subscription_id: Name, external_customer_id: Name }),
    status: 201,
    response: z.object({ id: Id, public_id: z.string() }),
    location: '/subscriptions/{id}',
    refusals: ['order_not_paid', 'no_subscription_item', 'subscription_exists', 'external_id_taken'],
  },
);
