import type { OrderDiscount, PhoneOrderPayload } from '../../../../contract/order-edits.ts';
import { defined } from '../../../parts/search.ts';
import { bodyOf, valuesOf } from './body.ts';
import type { AddedLine } from './edit-values.ts';
import { phoneFields } from './fields.ts';

export type ShippingKind = 'configured' | 'pickup' | 'none';
export type DiscountKind = 'none' | OrderDiscount['kind'];
export type PhonePayment = 'none' | 'pending' | 'paid';

const choices = {
  lines: [] as readonly AddedLine[],
  'shipping/kind': 'configured' as ShippingKind,
  'shipping/method_id': null as number | null,
  hasBilling: false,
  discountKind: 'none' as DiscountKind,
  payment_status: 'none' as PhonePayment,
  register_customer: false,
  send_confirmation_email: false,
};

/** What is typed of a phone order. A name is the place of the value in the body that is sent. */
export const emptyPhoneOrder = { ...valuesOf(phoneFields), ...choices };
export type PhoneValues = typeof emptyPhoneOrder;

/** The order as it is typed; the server says what is missing. */
export function payloadOf(values: PhoneValues): PhoneOrderPayload {
  const { payment_status, register_customer, send_confirmation_email, hasBilling } = values;
  const kind = values['shipping/kind'];
  const typed = bodyOf(phoneFields, values);
  return {
    ...typed,
    shipping_address: kind === 'configured' ? typed.shipping_address : null,
    billing_address: hasBilling ? typed.billing_address : null,
    items: values.lines.map(({ variant_id, quantity, fields }) => ({
      variant_id,
      quantity: quantity ?? 0,
      ...(fields.length > 0 ? { custom_field_values: fields.map(({ field_name, field_value }) => ({ field_name, field_value })) } : {}),
    })),
    shipping: kind === 'none' ? { kind } : { kind, method_id: values['shipping/method_id'] },
    discount: discountOf(values),
    ...{ payment_status, register_customer, send_confirmation_email },
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
      return { kind: 'percent', percent_bps: values['discount/percent_bps'] ?? 0, ...reason };
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
