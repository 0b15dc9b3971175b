import type { OrderEditPayload, OrderTotals } from '../../../contract/order-edits.ts';
import { fold } from '../../../contract/values.ts';
import type { Voucher } from '../../../contract/vouchers.ts';
import type { Ctx } from '../../verbs/context.ts';
import { notFound, refuseValues } from '../../verbs/problem.ts';
import { groupDiscountOf } from '../discount-groups/domain.ts';
import { forSale, linesOf, type StoredLine } from '../order-lines/domain.ts';
import type { LineSums } from '../order-lines/rules.ts';
import { priceWithin } from '../order-pricing/domain.ts';
import { type Price, termsOf } from '../order-pricing/rules.ts';
import { countryOfPickup } from '../pickup-locations/domain.ts';
import { checkVoucher } from '../vouchers/domain.ts';
import { editedLines, type PricedOrder, priceInput, samePricedOrder, totalsBlock } from './rules.ts';
import * as store from './store.ts';
import { type Change, changesOf, type EditedFields, summaryOf } from './summary.ts';

type Order = NonNullable<Awaited<ReturnType<typeof store.selectForEdit>>>;

/** The result of an edit, computed but not yet written. */
export type Plan = {
  order: Order;
  linesBefore: readonly StoredLine[];
  before: PricedOrder;
  after: PricedOrder;
  /** null: the stored sums stay as they are. */
  price: Price | null;
  /** The sums of the lines after the edit. */
  sums: readonly LineSums[];
  fields: EditedFields;
  totalsBefore: OrderTotals;
  totalsAfter: OrderTotals;
  /** null: the edit removes the voucher; undefined: the voucher stays as it is. */
  voucher: Voucher | null | undefined;
  changes: Change[];
  summary: string;
};

/**
 * Computes an edit, in the same way for preview and commit, from the order as the transaction sees it. Refuses wrong values
 * (422) and writes nothing (spec ED1, ED2). `hold` locks the voucher for a commit; the caller has locked the order
 * then.
 */
export async function planEdit(ctx: Ctx, orderId: number, payload: OrderEditPayload, { hold }: { hold: boolean }): Promise<Plan> {
  const order = await store.selectForEdit(ctx.db, orderId);
  if (!order) throw notFound('order', orderId);
  const linesBefore = await linesOf(ctx, orderId);
  const before = pricedOrderOf(order, linesBefore);
  const lines = await linesAfter(ctx, order, linesBefore, payload);
  const moneyAfter = {
    ...before,
    lines,
    manualDiscount: payload.discount_amount_cents ?? before.manualDiscount,
    shippingPrice: payload.shipping?.cost_cents ?? before.shippingPrice,
  };
  const voucher = await voucherAfter(ctx, orderId, order, moneyAfter, payload, { hold });
  const after = voucher === undefined ? moneyAfter : { ...moneyAfter, voucher: voucher && termsOf(voucher) };
  const price = samePricedOrder(before, after) ? null : priceWithin(priceInput(after));
  const sums = price?.lines ?? linesBefore;
  const totalsBefore = storedTotals(order);
  const totalsAfter = price ? totalsBlock(price) : totalsBefore;
  const fields = fieldsAfter(order, payload, totalsAfter, voucher);
  const changes = changesOf({ lines: linesBefore, fields: order }, { lines, fields });
  const summary = summaryOf(changes);
  return { order, linesBefore, before, after, price, sums, fields, totalsBefore, totalsAfter, voucher, changes, summary };
}

function pricedOrderOf(order: Order, lines: readonly StoredLine[]): PricedOrder {
  const kept = { kind: 'fixed', percent_bps: null, amount_cents: order.voucher_discount } as const;
  return {
    lines,
    // If the voucher's terms are not stored, the voucher keeps giving the same amount.
    voucher: order.voucher_terms ?? (order.voucher_discount > 0 ? kept : null),
    manualDiscount: order.manual_discount ?? order.discount_amount - order.voucher_discount,
    shippingPrice: order.shipping_cost + order.waived_shipping,
    shippingTaxRate: order.shipping_tax_rate,
    pricesIncludeTax: order.prices_include_tax,
  };
}

function storedTotals({ subtotal, tax_amount, shipping_cost, discount_amount, total }: Order): OrderTotals {
  return { subtotal, tax: tax_amount, shipping: shipping_cost, discount: discount_amount, total };
}

async function linesAfter(ctx: Ctx, order: Order, lines: readonly StoredLine[], payload: OrderEditPayload) {
  if (payload.items === undefined) return lines;
  const added = payload.items.flatMap(({ variant_id }) => (variant_id === undefined ? [] : [variant_id]));
  const country = await taxCountryOf(ctx, order, payload);
  const variants = await forSale(ctx, [...lines.map(({ variant_id }) => variant_id), ...added], country);
  const edited = editedLines(lines, payload, variants, await groupDiscountOf(ctx, order.customer_id));
  if (edited.faults.length > 0) throw refuseValues(edited.faults);
  return edited.lines;
}

/** The country whose tax rates count. An order without a shipping method is taken along in the shop, so it has none: ''. */
async function taxCountryOf(ctx: Ctx, order: Order, payload: OrderEditPayload): Promise<string> {
  if (order.pickup_location_id !== null) return countryOfPickup(ctx, order.pickup_location_id);
  const isSent = (payload.shipping?.method ?? order.shipping_method) !== '';
  return isSent ? (payload.shipping_address?.country ?? order.shipping_country) : '';
}

/** The voucher after the edit. The code that the order has already is not a new use; its terms stay as they were when it was used. */
async function voucherAfter(
  ctx: Ctx,
  orderId: number,
  order: Order,
  priced: PricedOrder,
  { voucher_code: code }: OrderEditPayload,
  { hold }: { hold: boolean },
): Promise<Plan['voucher']> {
  if (code === undefined) return undefined;
  if (code === null) return order.voucher_code === null ? undefined : null;
  if (order.voucher_code !== null && fold(code) === fold(order.voucher_code)) return undefined;
  const { subtotal } = priceWithin(priceInput({ ...priced, voucher: null }));
  return checkVoucher(ctx, code, { subtotal, customerId: order.customer_id, orderId }, { hold });
}

/** The order's fields after the edit. Given sub-fields replace the order's own; the customer's record is not changed (spec ED7). */
function fieldsAfter(order: Order, payload: OrderEditPayload, totals: OrderTotals, voucher: Plan['voucher']): EditedFields {
  const {
    customer: { name: customer_name, email: customer_email, phone: customer_phone, ...ofCustomer } = {},
    shipping_address: { line1, line2, city, state, postal_code, country, ...ofAddress } = {},
    shipping: { method: shipping_method, cost_cents, ...ofShipping } = {},
    discount_reason,
    delivery_date,
    internal_notes,
    ...others
  } = payload;
  // These make the new price, or say what else `editOrder` does.
  const { items, items_mode, voucher_code, discount_amount_cents, expected_total_cents, stock_override, ...told } = others;
  const { payment_adjustment_note, notify_customer, warn_acknowledged, ...rest } = told;
  ({ rest, ofCustomer, ofAddress, ofShipping }) satisfies Record<string, Record<string, never>>;
  return {
    customer_name: customer_name ?? order.customer_name,
    customer_email: customer_email ?? order.customer_email,
    customer_phone: customer_phone ?? order.customer_phone,
    shipping_line1: line1 ?? order.shipping_line1,
    shipping_line2: line2 ?? order.shipping_line2,
    shipping_city: city ?? order.shipping_city,
    shipping_state: state ?? order.shipping_state,
    shipping_postal_code: postal_code ?? order.shipping_postal_code,
    shipping_country: country ?? order.shipping_country,
    shipping_method: shipping_method ?? order.shipping_method,
    shipping_cost: totals.shipping,
    voucher_code: voucher === undefined ? order.voucher_code : (voucher?.code ?? null),
    discount_amount: totals.discount,
    discount_reason: discount_reason === undefined ? order.discount_reason : discount_reason,
    delivery_date: delivery_date === undefined ? order.delivery_date : delivery_date,
    internal_notes: internal_notes === undefined ? order.internal_notes : internal_notes,
    total: totals.total,
  };
}
