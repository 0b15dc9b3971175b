import type { OrderDiscount, PhoneOrderPayload } from '../../../../contract/order-edits.ts';
import { defined } from '../../../parts/search.ts';
import type { AddedLine } from './edit-values.ts';

export type ShippingKind = 'configured' | 'pickup' | 'none';
export type DiscountKind = 'none' | OrderDiscount['kind'];
export type PhonePayment = 'none' | 'pending' | 'paid';

/** What is typed of a phone order. A name is the place of the value in the body that is sent. */
export type PhoneValues = {
  'customer/name': string;
  'customer/email': string;
  'customer/phone': string;
  lines: readonly AddedLine[];
  'shipping/kind': ShippingKind;
  'shipping/method_id': number | null;
  'shipping_address/line1': string;
  'shipping_address/line2': string;
  'shipping_address/postal_code': string;
  'shipping_address/city': string;
  'shipping_address/state': string;
  'shipping_address/country': string;
  hasBilling: boolean;
  'billing_address/name': string;
  'billing_address/line1': string;
  'billing_address/line2': string;
  'billing_address/postal_code': string;
  'billing_address/city': string;
  'billing_address/state': string;
  'billing_address/country': string;
  'billing_address/tax_number': string;
  voucher_code: string;
  discountKind: DiscountKind;
  'discount/amount_cents': number | null;
  /** As it is typed: 12.5 for 12.5 %. */
  'discount/percent_bps': number | null;
  'discount/reason': string;
  delivery_date: string;
  notes: string;
  payment_status: PhonePayment;
  register_customer: boolean;
  send_confirmation_email: boolean;
};

export const emptyPhoneOrder: PhoneValues = {
  'customer/name': '',
  'customer/email': '',
  'customer/phone': '',
  lines: [],
  'shipping/kind': 'configured',
  'shipping/method_id': null,
  'shipping_address/line1': '',
  'shipping_address/line2': '',
  'shipping_address/postal_code': '',
  'shipping_address/city': '',
  'shipping_address/state': '',
  'shipping_address/country': '',
  hasBilling: false,
  'billing_address/name': '',
  'billing_address/line1': '',
  'billing_address/line2': '',
  'billing_address/postal_code': '',
  'billing_address/city': '',
  'billing_address/state': '',
  'billing_address/country': '',
  'billing_address/tax_number': '',
  voucher_code: '',
  discountKind: 'none',
  'discount/amount_cents': null,
  'discount/percent_bps': null,
  'discount/reason': '',
  delivery_date: '',
  notes: '',
  payment_status: 'none',
  register_customer: false,
  send_confirmation_email: false,
};

const BPS_A_PERCENT = 100;

/** The order as it is typed; the server says what is missing. */
export function payloadOf(values: PhoneValues): PhoneOrderPayload {
  const kind = values['shipping/kind'];
  return {
    customer: { name: values['customer/name'], email: values['customer/email'], phone: values['customer/phone'] },
    shipping_address:
      kind === 'configured'
        ? {
            line1: values['shipping_address/line1'],
            line2: values['shipping_address/line2'],
            city: values['shipping_address/city'],
            state: values['shipping_address/state'],
            postal_code: values['shipping_address/postal_code'],
            country: values['shipping_address/country'],
          }
        : null,
    billing_address: values.hasBilling
      ? {
          name: values['billing_address/name'],
          line1: values['billing_address/line1'],
          line2: values['billing_address/line2'],
          city: values['billing_address/city'],
          state: values['billing_address/state'],
          postal_code: values['billing_address/postal_code'],
          country: values['billing_address/country'],
          tax_number: values['billing_address/tax_number'],
        }
      : null,
    items: values.lines.map(({ variant_id, quantity, fields }) => ({
      variant_id,
      quantity: quantity ?? 0,
      ...(fields.length > 0 ? { custom_field_values: fields.map(({ field_name, field_value }) => ({ field_name, field_value })) } : {}),
    })),
    shipping: kind === 'none' ? { kind } : { kind, method_id: values['shipping/method_id'] },
    payment_status: values.payment_status,
    voucher_code: values.voucher_code.trim() === '' ? null : values.voucher_code,
    discount: discountOf(values),
    delivery_date: values.delivery_date || null,
    notes: values.notes.trim() === '' ? null : values.notes,
    register_customer: values.register_customer,
    send_confirmation_email: values.send_confirmation_email,
  };
}

function discountOf(values: PhoneValues): OrderDiscount | null {
  const reason = defined({ reason: values['discount/reason'] || undefined });
  switch (values.discountKind) {
    case 'none':
      return null;
    case 'fixed':
      return { kind: 'fixed', amount_cents: values['discount/amount_cents'] ?? 0, ...reason };
    case 'percent':
      return { kind: 'percent', percent_bps: Math.round((values['discount/percent_bps'] ?? 0) * BPS_A_PERCENT), ...reason };
  }
}

/** What the totals still wait for. */
export type Missing = 'items' | 'country' | 'method';

/**
 * The order to compute totals of, while a name or a street is not typed yet: they have no influence on the money. Returns what
 * is missing, if the money depends on it.
 */
export function previewOf(values: PhoneValues): { body: PhoneOrderPayload } | { missing: Missing } {
  const kind = values['shipping/kind'];
  if (values.lines.length === 0 || values.lines.some(({ quantity }) => !quantity)) return { missing: 'items' };
  if (kind !== 'none' && values['shipping/method_id'] === null) return { missing: 'method' };
  if (kind === 'configured' && !/^[A-Z]{2}$/.test(values['shipping_address/country'])) return { missing: 'country' };
  const order = payloadOf({ ...values, hasBilling: false, register_customer: false, send_confirmation_email: false });
  const typed = (text: string): string => (text.trim() === '' ? '-' : text);
  const { customer, shipping_address: address } = order;
  const isAddress = /^\s*[^\s@]+@[^\s@]+\s*$/.test(customer.email);
  return {
    body: {
      ...order,
      notes: null,
      customer: { name: typed(customer.name), email: isAddress ? customer.email : '', phone: '' },
      shipping_address: address ? { ...address, line1: typed(address.line1), city: typed(address.city) } : null,
    },
  };
}
