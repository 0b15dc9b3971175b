import type { ErrorItem } from '../../../contract/errors.ts';
import { type EditItem, LINES_MAX, type OrderEditPayload, type OrderTotals } from '../../../contract/order-edits.ts';
import type { OrderStatus } from '../../../contract/orders.ts';
import { groupPrice } from '../discount-groups/rules.ts';
import { describe, type ForSale, fault, fieldFaults, type Line, priced, variantFaults } from '../order-lines/rules.ts';
import type { Price, PriceInput, VoucherTerms } from '../order-pricing/rules.ts';
import type { StockWish } from '../products/rules.ts';

export type KnownLine = Line & { id: number };
export type EditLine = Line & { id: number | null };

/** Everything from which an order's sums are computed. */
export type PricedOrder = {
  lines: readonly EditLine[];
  voucher: VoucherTerms | null;
  /** The discount as the admin entered it, before it is limited to what the voucher leaves. */
  manualDiscount: number;
  /** The shipping price before a voucher waives it. */
  shippingPrice: number;
  shippingTaxRate: number;
  pricesIncludeTax: boolean;
};

export function priceInput(order: PricedOrder): PriceInput {
  return {
    lines: priced(order.lines),
    voucher: order.voucher,
    discount: { kind: 'fixed', amount_cents: order.manualDiscount },
    // The shipping price is not quoted again, so the method's threshold for free shipping no longer applies
    // (spec ED7).
    shipping: { price_cents: order.shippingPrice, free_over_cents: null, tax_rate_bps: order.shippingTaxRate },
    pricesIncludeTax: order.pricesIncludeTax,
  };
}

/** Whether two priced orders certainly have the same sums; the stored sums then stay as they are. */
export function samePricedOrder(a: PricedOrder, b: PricedOrder): boolean {
  return JSON.stringify(priceInput(a)) === JSON.stringify(priceInput(b));
}

export function totalsBlock({ subtotal, tax, shipping, discount, total }: OrderTotals | Price): OrderTotals {
  return { subtotal, tax, shipping, discount, total };
}

type Items = Pick<OrderEditPayload, 'items' | 'items_mode'>;

/**
 * The lines after an edit: listed ids change, items without an id are added, and lines that are not listed stay unless
 * `items_mode` is `replace` (spec C2, ED5). Returns all faults.
 */
export function editedLines(
  lines: readonly KnownLine[],
  { items, items_mode }: Items,
  variants: ReadonlyMap<number, ForSale>,
  groupDiscountBps: number,
): { lines: EditLine[]; faults: ErrorItem[] } {
  if (items === undefined) return { lines: [...lines], faults: [] };
  const faults: ErrorItem[] = [];
  const byId = new Map(lines.map((line) => [line.id, line]));
  const listed = new Map<number, EditLine | null>();
  const added: EditLine[] = [];
  for (const [index, item] of items.entries()) {
    const line = item.id == null ? null : byId.get(item.id);
    const found = itemFaults(item, line, listed, variants, `/items/${index}`);
    faults.push(...found);
    if (found.length > 0 || line === undefined) continue;
    if (line === null) added.push(newLine(item, variants, groupDiscountBps));
    else listed.set(line.id, item.quantity === 0 ? null : changedLine(item, line, variants));
  }
  if (faults.length > 0) return { lines: [], faults };
  const kept = lines.flatMap((line) => listed.get(line.id) ?? (listed.has(line.id) || items_mode === 'replace' ? [] : [line]));
  const result = [...kept, ...added];
  if (result.length === 0 && lines.length > 0)
    faults.push(fault('order_would_be_empty', '/items', 'no line would be left; an order needs at least one'));
  if (result.length > Math.max(LINES_MAX, lines.length))
    faults.push(fault('out_of_range', '/items', `an order may have at most ${LINES_MAX} lines`));
  return { lines: result, faults };
}

function itemFaults(
  item: EditItem,
  line: KnownLine | null | undefined,
  listed: ReadonlyMap<number, unknown>,
  variants: ReadonlyMap<number, ForSale>,
  pointer: string,
): ErrorItem[] {
  if (line === undefined) return [fault('item_not_found', `${pointer}/id`, `the order has no line ${item.id}`)];
  if (line && listed.has(line.id)) return [fault('duplicate', `${pointer}/id`, 'the line is given twice')];
  if (line && item.quantity === 0) return [];
  const variantId = item.variant_id ?? line?.variant_id ?? 0;
  const variant = variants.get(variantId);
  const isOther = variantId !== line?.variant_id;
  const faults = isOther ? variantFaults(variant, variantId, `${pointer}/variant_id`) : [];
  if (!variant) return faults;
  if (item.product_id !== undefined && item.product_id !== variant.product_id) {
    faults.push(fault('invalid_value', `${pointer}/product_id`, `variant ${variantId} belongs to product ${variant.product_id}`));
  }
  const values = item.custom_field_values;
  if (values || variant.product_id !== line?.product_id) {
    faults.push(...fieldFaults(variant, values ?? [], `${pointer}/custom_field_values`));
  }
  return faults;
}

/** A new line, at the given price, else at the catalogue price less the customer's group discount (spec ED6). */
function newLine(item: EditItem, variants: ReadonlyMap<number, ForSale>, groupDiscountBps: number): EditLine {
  const { id: _, product_id, variant_id, quantity = 0, unit_price_override_cents, custom_field_values, ...rest } = item;
  rest satisfies Record<string, never>;
  const variant = checked(variants.get(variant_id ?? 0));
  return {
    id: null,
    ...describe(variant),
    quantity,
    unit_price: unit_price_override_cents ?? groupPrice(variant.price_cents, groupDiscountBps),
    custom_fields: custom_field_values ?? [],
  };
}

/** A changed line. It keeps its price unless another is given, even if it becomes another variant (spec ED6). */
function changedLine(item: EditItem, line: KnownLine, variants: ReadonlyMap<number, ForSale>): EditLine {
  const variant = item.variant_id === undefined || item.variant_id === line.variant_id ? null : checked(variants.get(item.variant_id));
  const fields = variant && variant.product_id !== line.product_id ? [] : line.custom_fields;
  return {
    ...line,
    ...(variant ? describe(variant) : {}),
    quantity: item.quantity ?? line.quantity,
    unit_price: item.unit_price_override_cents ?? line.unit_price,
    custom_fields: item.custom_field_values ?? fields,
  };
}

function checked(variant: ForSale | undefined): ForSale {
  if (!variant) throw new Error('a variant that was found is gone');
  return variant;
}

/** Whether an edit returns stock: goods that were shipped do not come back by an edit (spec ED14). */
const returnsStock: Record<OrderStatus, boolean> = { pending: true, processing: true, shipped: false, delivered: false, cancelled: false };

/** What an edit takes from the stock and returns to it, one entry for each variant. */
export function stockShift(
  before: readonly Line[],
  after: readonly Line[],
  status: OrderStatus,
): { taken: StockWish[]; returned: StockWish[] } {
  const wishes = new Map<number, StockWish>();
  const add = ({ product_id, variant_id, product_name, quantity }: Line, sign: 1 | -1) => {
    const known = wishes.get(variant_id)?.quantity ?? 0;
    wishes.set(variant_id, { product_id, variant_id, product_name, quantity: known + sign * quantity });
  };
  for (const line of before) add(line, -1);
  for (const line of after) add(line, 1);
  const all = [...wishes.values()];
  return {
    taken: all.filter(({ quantity }) => quantity > 0),
    returned: returnsStock[status] ? all.flatMap((wish) => (wish.quantity < 0 ? [{ ...wish, quantity: -wish.quantity }] : [])) : [],
  };
}

/** Whether the goods were shipped; an edit of such an order must be acknowledged (spec ED3). */
export function needsAcknowledgement(status: OrderStatus): boolean {
  return status === 'shipped' || status === 'delivered';
}

/** The products that only the new lines have, and those that only the old lines have. */
export function productShift(before: readonly Line[], after: readonly Line[]): { added: number[]; removed: number[] } {
  const had = new Set(before.map(({ product_id }) => product_id));
  const has = new Set(after.map(({ product_id }) => product_id));
  return { added: [...has].filter((id) => !had.has(id)), removed: [...had].filter((id) => !has.has(id)) };
}
