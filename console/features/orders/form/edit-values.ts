import type { EditItem, OrderEditPayload } from '../../../../contract/order-edits.ts';
import type { OrderDetail, OrderItem } from '../../../../contract/orders.ts';
import { defined } from '../../../parts/search.ts';
import { changesOf, type ValuesOf, valuesOf } from './body.ts';
import { type EditField, editFields } from './fields.ts';
import { type StateValues, stateOf } from './state-values.ts';

/** A field that the buyer of a product fills in. */
export type CustomField = { field_name: string; field_value: string; required: boolean };

/** A line that the edit adds. */
export type AddedLine = {
  key: string;
  product_id: number;
  variant_id: number;
  name: string;
  quantity: number | null;
  price: number | null;
  fields: CustomField[];
};

/** How the edit is made: what does not change the order itself. */
const manner = { notify_customer: false, stock_override: false, warn_acknowledged: false, payment_adjustment_note: '' };

/**
 * What can be edited of an order. A name is the place of the value in the body that is sent. Each line has a quantity and a
 * price of its own, so that two admins can edit different lines of one order.
 */
export type EditValues = ValuesOf<EditField> &
  StateValues &
  typeof manner & { added: readonly AddedLine[] } & { [line: `quantity/${number}` | `price/${number}`]: number | null };

export function valuesOfOrder(order: OrderDetail): EditValues {
  const values: EditValues = { ...stateOf(order), ...valuesOf(editFields(order)), added: [], ...manner };
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
export function editOf(
  fields: readonly EditField[],
  values: EditValues,
  base: EditValues,
  known: ReadonlyMap<number, OrderItem>,
): OrderEditPayload {
  const items = sentLines(values, base, known).map(({ item }) => item);
  return { ...(items.length > 0 ? { items } : {}), ...changesOf(fields, values, base) };
}

export function mannerOf({
  notify_customer,
  stock_override,
  warn_acknowledged,
  payment_adjustment_note: note,
}: EditValues): OrderEditPayload {
  return { notify_customer, stock_override, warn_acknowledged, ...(note.trim() === '' ? {} : { payment_adjustment_note: note }) };
}
