import type { EditItem, OrderEditPayload } from '../../../../contract/order-edits.ts';
import type { OrderDetail, OrderItem } from '../../../../contract/orders.ts';
import { defined } from '../../../parts/search.ts';

/** A field that the buyer of a product fills in. */
export type CustomField = { field_name: string; field_value: string; required: boolean };

/** A line that the edit adds. */
export type AddedLine = {
  key: string;
  variant_id: number;
  name: string;
  quantity: number | null;
  price: number | null;
  fields: CustomField[];
};

type Fields = {
  'customer/name': string;
  'customer/email': string;
  'customer/phone': string;
  'shipping_address/line1': string;
  'shipping_address/line2': string;
  'shipping_address/postal_code': string;
  'shipping_address/city': string;
  'shipping_address/state': string;
  'shipping_address/country': string;
  'shipping/method': string;
  'shipping/cost_cents': number | null;
  voucher_code: string;
  discount_amount_cents: number | null;
  discount_reason: string;
  internal_notes: string;
  added: readonly AddedLine[];
  notify_customer: boolean;
  stock_override: boolean;
  warn_acknowledged: boolean;
  payment_adjustment_note: string;
};

/**
 * What can be edited of an order. A name is the place of the value in the body that is sent. Each line has a quantity and a
 * price of its own, so that two admins can edit different lines of one order.
 */
export type EditValues = Fields & { [line: `quantity/${number}` | `price/${number}`]: number | null };

export function valuesOf(order: OrderDetail): EditValues {
  const values: EditValues = {
    'customer/name': order.customer_name,
    'customer/email': order.customer_email,
    'customer/phone': order.customer_phone,
    'shipping_address/line1': order.shipping_line1,
    'shipping_address/line2': order.shipping_line2,
    'shipping_address/postal_code': order.shipping_postal_code,
    'shipping_address/city': order.shipping_city,
    'shipping_address/state': order.shipping_state,
    'shipping_address/country': order.shipping_country,
    'shipping/method': order.shipping_method,
    'shipping/cost_cents': order.shipping_cost,
    voucher_code: order.voucher_code ?? '',
    // With a voucher, the order tells only what voucher and discount take off together.
    discount_amount_cents: order.voucher_code === null ? order.discount_amount : null,
    discount_reason: order.discount_reason ?? '',
    internal_notes: order.internal_notes ?? '',
    added: [],
    notify_customer: false,
    stock_override: false,
    warn_acknowledged: false,
    payment_adjustment_note: '',
  };
  for (const { id, quantity, unit_price } of order.items) {
    values[`quantity/${id}`] = quantity;
    values[`price/${id}`] = unit_price;
  }
  return values;
}

export function lineIds(values: EditValues): number[] {
  return Object.keys(values).flatMap((name) => (name.startsWith('quantity/') ? [Number(name.slice('quantity/'.length))] : []));
}

/** The lines that the edit changes or adds, in the order in which they are sent; a refusal names a line by its place in it. */
export type SentLine = { line: number | string; item: EditItem };

export function sentLines(values: EditValues, base: EditValues, known: ReadonlyMap<number, OrderItem>): SentLine[] {
  const changed = lineIds(values).flatMap((id): SentLine[] => {
    const quantity = values[`quantity/${id}`] ?? undefined;
    const price = values[`price/${id}`] ?? undefined;
    const was = base[`quantity/${id}`];
    const item = known.get(id);
    // Somebody else has removed the line that is kept here: it is added again.
    if (was === undefined)
      return item && quantity ? [{ line: id, item: newLine(item.variant_id, quantity, price ?? item.unit_price) }] : [];
    const isPriced = price !== undefined && price !== base[`price/${id}`];
    if (quantity === was && !isPriced) return [];
    return [{ line: id, item: { id, ...defined({ quantity, unit_price_override_cents: isPriced ? price : undefined }) } }];
  });
  const added = values.added.map(({ key, variant_id, quantity, price, fields }) => ({
    line: key,
    item: {
      ...newLine(variant_id, quantity ?? 1, price ?? undefined),
      ...(fields.length > 0 ? { custom_field_values: fields.map(({ field_name, field_value }) => ({ field_name, field_value })) } : {}),
    },
  }));
  return [...changed, ...added];
}

function newLine(variant_id: number, quantity: number, price: number | undefined): EditItem {
  return { variant_id, ...defined({ quantity, unit_price_override_cents: price }) };
}

/** What the edit changes, and nothing else: `{}` while nothing is edited. */
export function changesOf(values: EditValues, base: EditValues, known: ReadonlyMap<number, OrderItem>): OrderEditPayload {
  const changed = <K extends keyof Fields>(name: K): Fields[K] | undefined => (values[name] === base[name] ? undefined : values[name]);
  const amount = (name: 'shipping/cost_cents' | 'discount_amount_cents'): number | undefined => {
    const value = changed(name);
    return value === null ? 0 : value;
  };
  const cleared = (name: 'voucher_code' | 'discount_reason' | 'internal_notes'): string | null | undefined => {
    const value = changed(name);
    return value?.trim() === '' ? null : value;
  };
  const items = sentLines(values, base, known).map(({ item }) => item);
  return defined({
    items: items.length > 0 ? items : undefined,
    customer: filled(defined({ name: changed('customer/name'), email: changed('customer/email'), phone: changed('customer/phone') })),
    shipping_address: filled(
      defined({
        line1: changed('shipping_address/line1'),
        line2: changed('shipping_address/line2'),
        postal_code: changed('shipping_address/postal_code'),
        city: changed('shipping_address/city'),
        state: changed('shipping_address/state'),
        country: changed('shipping_address/country'),
      }),
    ),
    shipping: filled(defined({ method: changed('shipping/method'), cost_cents: amount('shipping/cost_cents') })),
    voucher_code: cleared('voucher_code'),
    discount_amount_cents: amount('discount_amount_cents'),
    discount_reason: cleared('discount_reason'),
    internal_notes: cleared('internal_notes'),
  });
}

/** How the edit is made: what does not change the order itself. */
export function mannerOf(values: EditValues): OrderEditPayload {
  const { notify_customer, stock_override, warn_acknowledged, payment_adjustment_note: note } = values;
  return { notify_customer, stock_override, warn_acknowledged, ...(note.trim() === '' ? {} : { payment_adjustment_note: note }) };
}

function filled<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
