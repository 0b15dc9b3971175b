import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { OrderDetail, OrderItem, OrderStatus, PaymentStatus } from './orders.ts';
import { BillingAddress, Country, CustomFieldValue, Email, NoteText } from './people.ts';
import { CalendarDate, Cents, Id, Name, Timestamp, text } from './values.ts';

/** Largest quantity of one line, and largest number of lines in one request (spec ED5, PH3). */
export const QUANTITY_MAX = 1_000_000;
export const LINES_MAX = 1000;

const CustomFieldValues = z.array(CustomFieldValue).max(100);

const EditItem = z
  .object({
    /** null or omitted adds a line. An id changes that line, and omitted fields keep their values. */
    id: Id.nullable().optional(),
    product_id: Id.optional(),
    variant_id: Id.optional(),
    /** 0 removes the line. */
    quantity: z.int().min(0).max(QUANTITY_MAX).optional(),
    unit_price_override_cents: z.int().min(0).nullable().optional(),
    custom_field_values: CustomFieldValues.optional(),
  })
  .superRefine((item, ctx) => {
    if (item.id != null) return;
    for (const key of ['variant_id', 'quantity'] as const) {
      if (item[key] === undefined) {
        ctx.addIssue({ code: 'custom', path: [key], message: 'required for a new line', params: { code: 'required' } });
      }
    }
    if (item.quantity === 0) {
      ctx.addIssue({ code: 'custom', path: ['quantity'], message: 'must be at least 1 for a new line', params: { code: 'out_of_range' } });
    }
  });
export type EditItem = z.infer<typeof EditItem>;

/** Any subset of the fields may be sent; nested objects are merged field by field (spec ED5-ED8). */
export const OrderEditPayload = z
  .object({
    items: z.array(EditItem).max(LINES_MAX).optional(),
    /** `replace` removes the lines that are not listed. Default: `merge`. */
    items_mode: z.enum(['merge', 'replace']).optional(),
    customer: z.object({ name: Name.optional(), email: Email.optional(), phone: text().optional() }).optional(),
    shipping_address: z
      .object({
        line1: text().optional(),
        line2: text().optional(),
        city: text().optional(),
        state: text().optional(),
        postal_code: text().optional(),
        country: Country.optional(),
      })
      .optional(),
    shipping: z.object({ method: text().optional(), cost_cents: z.int().min(0).optional() }).optional(),
    voucher_code: text({ trim: true }).nullable().optional(),
    discount_amount_cents: z.int().min(0).optional(),
    discount_reason: text().nullable().optional(),
    delivery_date: CalendarDate.nullable().optional(),
    internal_notes: NoteText.nullable().optional(),
    payment_adjustment_note: NoteText.optional(),
    stock_override: z.boolean().optional(),
    notify_customer: z.boolean().optional(),
    warn_acknowledged: z.boolean().optional(),
    expected_total_cents: z.int().optional(),
  })
  .meta({ id: 'OrderEditPayload' });
export type OrderEditPayload = z.infer<typeof OrderEditPayload>;

export const OrderTotals = z
  .object({ subtotal: Cents, tax: Cents, shipping: Cents, discount: Cents, total: Cents })
  .meta({ id: 'OrderTotals' });
export type OrderTotals = z.infer<typeof OrderTotals>;

export const StockWarning = z
  .object({
    product_id: Id,
    variant_id: Id,
    product_name: z.string(),
    requested: z.int().meta({ description: 'The increase in quantity that was asked for' }),
    available: z.int(),
  })
  .meta({ id: 'StockWarning' });
export type StockWarning = z.infer<typeof StockWarning>;

/** A line as a preview shows it, with its part of the sums, so that clients need not compute money. */
export const PreviewLine = OrderItem.pick({
  product_id: true,
  variant_id: true,
  product_name: true,
  variant_label: true,
  quantity: true,
  unit_price: true,
  subtotal: true,
  tax_amount: true,
})
  .extend({ id: Id.nullable().meta({ description: 'null: the line is new' }) })
  .meta({ id: 'PreviewLine' });
export type PreviewLine = z.infer<typeof PreviewLine>;

export const OrderEditPreview = z
  .object({
    totals_before: OrderTotals,
    totals_after: OrderTotals,
    lines_before: z.array(PreviewLine).meta({ description: 'The lines of the order as it is, in their order' }),
    lines_after: z.array(PreviewLine).meta({ description: 'The lines after the edit, in their order; new ones are last' }),
    payment_delta_cents: Cents,
    stock_warnings: z.array(StockWarning),
    summary: z.string(),
    requires_warn_acknowledged: z.boolean(),
    balance_due_cents: Cents,
  })
  .meta({ id: 'OrderEditPreview' });
export type OrderEditPreview = z.infer<typeof OrderEditPreview>;

export const editSources = ['admin_api', 'ai_task'] as const;

export const OrderEdit = z
  .object({
    id: Id,
    order_id: Id,
    edited_at: Timestamp,
    edited_by_shop_owner_id: Id,
    edit_source: z.enum(editSources),
    summary: z.string(),
    total_before_cents: Cents,
    total_after_cents: Cents,
    payment_delta_cents: Cents,
    payment_adjustment_note: z.string(),
    customer_notified: z.boolean(),
    stock_override_used: z.boolean(),
  })
  .meta({ id: 'OrderEdit' });
export type OrderEdit = z.infer<typeof OrderEdit>;

export const shippingKinds = ['configured', 'pickup', 'none'] as const;

/** A plain union and not one discriminated by `kind`, so that an unknown `kind` gets the same error as any other value outside an enum. */
export const PhoneOrderShipping = z
  .union([
    z.object({
      kind: z.enum(shippingKinds),
      method_id: Id.nullable().optional().meta({ description: 'Id of a shipping method or, for `pickup`, of a pickup location; required' }),
    }),
    z.object({
      kind: z.literal('none', `must be one of ${shippingKinds.join(', ')}`),
      method_id: z.unknown().optional().meta({ description: 'Ignored' }),
    }),
  ])
  .meta({ id: 'PhoneOrderShipping' });

/** Payment statuses that a phone order may be created with (spec PH6). */
export const phoneOrderPaymentStatuses = ['none', 'pending', 'paid'] as const;

export const OrderDiscount = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed'), amount_cents: z.int().min(0), reason: text().optional() }),
    z.object({ kind: z.literal('percent'), percent_bps: z.int().min(0).max(10_000), reason: text().optional() }),
  ])
  .meta({ id: 'OrderDiscount' });
export type OrderDiscount = z.infer<typeof OrderDiscount>;

export const PhoneOrderPayload = z
  .object({
    customer: z.object({ name: Name, email: Email, phone: text() }),
    shipping_address: z
      .object({
        line1: Name,
        line2: text().optional(),
        city: Name,
        state: text().optional(),
        postal_code: text(),
        country: Country,
      })
      .nullable()
      .optional(),
    billing_address: BillingAddress.nullable().optional(),
    items: z
      .array(
        z.object({
          variant_id: Id,
          quantity: z.int().min(1).max(QUANTITY_MAX),
          custom_field_values: CustomFieldValues.optional(),
        }),
      )
      .min(1)
      .max(LINES_MAX),
    shipping: PhoneOrderShipping,
    payment_status: z.enum(phoneOrderPaymentStatuses).default('none'),
    voucher_code: text({ trim: true }).nullable().optional(),
    discount: OrderDiscount.nullable().optional(),
    delivery_date: CalendarDate.nullable().optional(),
    notes: NoteText.nullable().optional(),
    register_customer: z.boolean(),
    send_confirmation_email: z.boolean(),
    expected_total_cents: z.int().optional(),
  })
  .superRefine((order, ctx) => {
    const require = (path: string[], message: string): void => {
      ctx.addIssue({ code: 'custom', path, message, params: { code: 'required' } });
    };
    if (order.shipping.kind === 'configured' && order.shipping_address == null) {
      require(['shipping_address'], 'required, because the order is shipped');
    }
    if (order.shipping.kind !== 'none' && order.shipping.method_id == null) {
      require(['shipping', 'method_id'], `required for the shipping kind ${order.shipping.kind}`);
    }
    if ((order.send_confirmation_email || order.register_customer) && order.customer.email.trim() === '') {
      ctx.addIssue({
        code: 'custom',
        path: ['customer', 'email'],
        message: 'required to register the customer or to send a confirmation',
        params: { code: 'blank' },
      });
    }
  })
  .meta({ id: 'PhoneOrderPayload' });
export type PhoneOrderPayload = z.infer<typeof PhoneOrderPayload>;

export const PhoneOrderPreview = z
  .object({
    subtotal_cents: Cents,
    discount_cents: Cents,
    shipping_cents: Cents,
    tax_cents: Cents,
    total_cents: Cents,
    lines: z.array(PreviewLine).meta({ description: 'The lines that the order would have; equal items are one line' }),
    resulting_status: OrderStatus,
    resulting_payment_status: PaymentStatus,
    prices_include_tax: z.boolean(),
  })
  .meta({ id: 'PhoneOrderPreview' });
export type PhoneOrderPreview = z.infer<typeof PhoneOrderPreview>;

const valueRefusals = ['voucher_invalid', 'variant_inactive', 'invalid_date', 'required'] as const;
const editRefusals = ['order_cancelled', 'order_would_be_empty', ...valueRefusals] as const;
const phoneRefusals = ['insufficient_stock', 'country_not_served', 'blank', ...valueRefusals] as const;

export const orderEditsEndpoints = endpointsOf(
  {
    id: 'orders.preview_edit',
    method: 'POST',
    path: '/orders/{id}/edit/preview',
    summary: 'Preview an edit of an order; nothing is written',
    permission: 'admin_api.orders.read',
    record: 'order',
    body: OrderEditPayload,
    writes: false,
    response: OrderEditPreview,
    refusals: editRefusals,
  },
  {
    id: 'orders.edit',
    method: 'PATCH',
    path: '/orders/{id}/edit',
    undo: 'restore',
    summary: 'Edit an order in place',
    permission: 'admin_api.orders.write',
    record: 'order',
    body: OrderEditPayload,
    response: OrderDetail.extend({ edit: OrderEdit }).meta({ id: 'EditedOrder' }),
    refusals: ['warning_not_acknowledged', 'insufficient_stock', 'total_changed', 'precondition_failed', ...editRefusals],
  },
  {
    id: 'orders.list_edits',
    method: 'GET',
    path: '/orders/{id}/edits',
    summary: 'List the edits of an order, newest first',
    permission: 'admin_api.orders.read',
    record: 'order',
    response: z.array(OrderEdit),
  },
  {
    id: 'orders.preview',
    method: 'POST',
    path: '/orders/preview',
    summary: 'Calculate the totals of a phone order; nothing is written',
    permission: 'admin_api.orders.read',
    body: PhoneOrderPayload,
    writes: false,
    response: PhoneOrderPreview,
    refusals: phoneRefusals,
  },
  {
    id: 'orders.create',
    method: 'POST',
    path: '/orders',
    undo: {
      irreversible:
        'An order stays in the books under its number, and its customer may have been told. Cancel it, which gives back its stock and its voucher.',
    },
    summary: 'Create a phone or walk-in order',
    permission: 'admin_api.orders.write',
    body: PhoneOrderPayload,
    status: 201,
    response: z.object({ id: Id, public_id: z.string() }),
    location: '/orders/{id}',
    refusals: ['total_changed', ...phoneRefusals],
  },
);
