import type { OrderEditPayload, PhoneOrderPayload } from '../../../../contract/order-edits.ts';
import type { OrderDetail } from '../../../../contract/orders.ts';
import { type FieldRows, fieldsOf, type Rows } from '../../../parts/fields.tsx';
import { orderText } from '../../../texts/order.ts';
import { ordersText } from '../../../texts/orders.ts';
import { phoneOrderText as p } from '../../../texts/phone-order.ts';
import { payments, statuses } from '../search.ts';
import type { BodyField, FieldIn } from './body.ts';
import type { StateValues } from './state-values.ts';

const t = orderText.edit;

/** The fields of the edit of an order, by the parts of the form. */
export function editRows(order: OrderDetail) {
  return {
    price: [
      [
        // With a voucher, the order tells only what voucher and discount take off together.
        order.voucher_code === null
          ? { kind: 'money', name: 'discount_amount_cents', label: t.discount, value: order.discount_amount }
          : { kind: 'money', name: 'discount_amount_cents', label: t.discountWithVoucher, value: null },
        { kind: 'text', name: 'discount_reason', label: t.discountReason, value: order.discount_reason, empty: null },
      ],
      { kind: 'text', name: 'voucher_code', label: t.voucher, value: order.voucher_code, empty: null },
      [
        { kind: 'text', name: 'shipping/method', label: t.shippingMethod, value: order.shipping_method },
        { kind: 'money', name: 'shipping/cost_cents', label: t.shippingCost, value: order.shipping_cost },
      ],
    ],
    person: [
      { kind: 'text', name: 'customer/name', label: t.name, value: order.customer_name },
      [
        { kind: 'email', name: 'customer/email', label: t.email, value: order.customer_email },
        { kind: 'phone', name: 'customer/phone', label: t.phone, value: order.customer_phone },
      ],
      { kind: 'text', name: 'shipping_address/line1', label: t.line1, value: order.shipping_line1 },
      { kind: 'text', name: 'shipping_address/line2', label: t.line2, value: order.shipping_line2 },
      [
        { kind: 'text', name: 'shipping_address/postal_code', label: t.postalCode, value: order.shipping_postal_code },
        { kind: 'text', name: 'shipping_address/city', label: t.city, value: order.shipping_city },
      ],
      [
        { kind: 'text', name: 'shipping_address/state', label: t.state, value: order.shipping_state },
        { kind: 'country', name: 'shipping_address/country', label: t.country, value: order.shipping_country },
      ],
    ],
    notes: [{ kind: 'area', name: 'internal_notes', label: t.notes, hint: t.notesHint, rows: 2, value: order.internal_notes, empty: null }],
  } as const satisfies Record<string, Rows<BodyField<OrderEditPayload>>>;
}

const stateText = orderText.state;
const optionsOf = <T extends string>(all: readonly T[], names: Record<T, string>) => all.map((one) => [one, names[one]] as const);

/** What the order has come to. */
export const stateRows: FieldRows<StateValues> = [
  { kind: 'choice', name: 'status', label: stateText.status, options: optionsOf(statuses, ordersText.status), autoFocus: true },
  { kind: 'choice', name: 'payment_status', label: stateText.payment, options: optionsOf(payments, ordersText.payment) },
  { kind: 'date', name: 'delivery_date', label: stateText.delivery },
  { kind: 'text', name: 'tracking_number', label: stateText.tracking },
  { kind: 'tick', name: 'is_test', label: stateText.testTick },
];

type EditRows = ReturnType<typeof editRows>;
export type EditField = FieldIn<EditRows[keyof EditRows]>;

export function editFields(order: OrderDetail): EditField[] {
  return Object.values(editRows(order)).flatMap((rows) => fieldsOf<EditField>(rows));
}

/** The fields of a phone order, by the parts of the form. */
export const phoneRows = {
  customer: [
    { kind: 'text', name: 'customer/name', label: p.name },
    [
      { kind: 'email', name: 'customer/email', label: p.email, hint: p.emailHint },
      { kind: 'phone', name: 'customer/phone', label: p.phone },
    ],
  ],
  address: addressRows('shipping_address'),
  billing: [
    [
      { kind: 'text', name: 'billing_address/name', label: p.company },
      { kind: 'text', name: 'billing_address/tax_number', label: p.taxNumber },
    ],
  ],
  billingAddress: addressRows('billing_address'),
  voucher: [{ kind: 'text', name: 'voucher_code', label: p.voucher, empty: null }],
  fixed: [{ kind: 'money', name: 'discount/amount_cents', label: p.amount }],
  /** As it is typed: 12.5 for 12.5 %. */
  percent: [{ kind: 'percent', name: 'discount/percent_bps', label: p.percent }],
  reason: [{ kind: 'text', name: 'discount/reason', label: p.reason }],
  delivery: [{ kind: 'date', name: 'delivery_date', label: p.delivery, empty: null }],
  notes: [{ kind: 'area', name: 'notes', label: p.notes, hint: p.notesHint, rows: 2, empty: null }],
} as const satisfies Record<string, Rows<BodyField<PhoneOrderPayload>>>;

function addressRows<const P extends 'shipping_address' | 'billing_address'>(part: P) {
  return [
    { kind: 'text', name: `${part}/line1`, label: t.line1 },
    { kind: 'text', name: `${part}/line2`, label: t.line2 },
    [
      { kind: 'text', name: `${part}/postal_code`, label: t.postalCode },
      { kind: 'text', name: `${part}/city`, label: t.city },
    ],
    [
      { kind: 'text', name: `${part}/state`, label: t.state },
      { kind: 'country', name: `${part}/country`, label: t.country },
    ],
  ] as const;
}

type PhoneField = FieldIn<(typeof phoneRows)[keyof typeof phoneRows]>;
export const phoneFields: readonly PhoneField[] = Object.values(phoneRows).flatMap((rows) => fieldsOf<PhoneField>(rows));
