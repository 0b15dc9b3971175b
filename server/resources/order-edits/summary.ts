import type { Row } from '../../db/tables.ts';
import { changesBetween } from '../../verbs/changes.ts';
import { nameOf } from '../order-lines/rules.ts';
import type { EditLine, KnownLine } from './rules.ts';

type Tell = (before: unknown, after: unknown) => string;
const step = (name: string) => (before: unknown, after: unknown) => `${name} ${before ?? 'none'}→${after ?? 'none'}`;
const just = (name: string) => () => name;

/**
 * The columns of an order that an edit may change, each with what the summary says of a change. Of personal data it says only that they
 * changed, because summaries stay when the customer is anonymised.
 */
const words = {
  customer_name: just('customer name'),
  customer_email: just('customer email'),
  customer_phone: just('customer phone'),
  shipping_line1: just('shipping address'),
  shipping_line2: just('shipping address'),
  shipping_city: just('shipping address'),
  shipping_state: just('shipping address'),
  shipping_postal_code: just('shipping address'),
  shipping_country: just('shipping address'),
  shipping_method: (before, after) => `shipping method ${before || 'none'}→${after || 'none'}`,
  shipping_cost: step('shipping'),
  voucher_code: step('voucher'),
  discount_amount: step('discount'),
  discount_reason: just('discount reason'),
  delivery_date: step('delivery date'),
  internal_notes: just('internal notes'),
  total: step('total'),
} as const satisfies { [Column in keyof Row<'orders'>]?: Tell };

export type EditedFields = Pick<Row<'orders'>, keyof typeof words>;

export const editedColumns = Object.keys(words).filter(isField);

export type EditState = { lines: readonly (EditLine | KnownLine)[]; fields: EditedFields };

/** `words`: the change as the summary says it. Changes with the same words are said once. */
export type Change = { field: string; before: unknown; after: unknown; words: string };

/** All differences, in the order of the summary: lines, customer, shipping, discount, the other fields, the total last. */
export function changesOf(before: EditState, after: EditState): Change[] {
  const fields = changesBetween(before.fields, after.fields);
  const told = editedColumns.flatMap((field) => {
    const change = fields[field];
    return change ? [{ field, before: change[0], after: change[1], words: words[field](...change) }] : [];
  });
  return [...lineChanges(before.lines, after.lines), ...told];
}

/** `#12 quantity 1→3; shipping 990→1490; total 3500→5500` (spec ED13). */
export function summaryOf(changes: readonly Change[]): string {
  return [...new Set(changes.map((change) => change.words))].join('; ') || 'No changes';
}

function lineChanges(before: readonly (EditLine | KnownLine)[], after: readonly (EditLine | KnownLine)[]): Change[] {
  const now = new Map(after.map((line) => [line.id, line]));
  const ofKnown = before.flatMap((line) => {
    const edited = now.get(line.id);
    const name = `item ${line.id}`;
    if (!edited) return [{ field: name, before: shortOf(line), after: null, words: `#${line.id} removed` }];
    return Object.entries(changesBetween(shownOf(line), shownOf(edited))).map(([field, [was, is]]) => ({
      field: `${name} ${field}`,
      before: was,
      after: is,
      words: field === 'custom fields' ? `#${line.id} custom fields` : `#${line.id} ${field} ${was}→${is}`,
    }));
  });
  const ofNew = after
    .filter(({ id }) => id === null)
    .map((line, index) => ({
      field: `new item ${index + 1}`,
      before: null,
      after: shortOf(line),
      words: `added ${line.quantity} × ${nameOf(line)}`,
    }));
  return [...ofKnown, ...ofNew];
}

function shownOf({ quantity, product_sku, unit_price, custom_fields }: EditLine | KnownLine) {
  return { variant: product_sku, quantity, price: unit_price, 'custom fields': custom_fields };
}

function shortOf({ product_sku, quantity, unit_price }: EditLine | KnownLine) {
  return { product_sku, quantity, unit_price };
}

function isField(field: string): field is keyof EditedFields {
  return Object.hasOwn(words, field);
}
