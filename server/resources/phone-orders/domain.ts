import type { PhoneOrderPayload, PhoneOrderPreview } from '../../../contract/order-edits.ts';
import type { Voucher } from '../../../contract/vouchers.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refuseValues } from '../../verbs/problem.ts';
import { customerFor, findCustomer } from '../customers/domain.ts';
import { groupDiscountOf } from '../discount-groups/domain.ts';
import { queueMail } from '../mail/domain.ts';
import { forSale } from '../order-lines/domain.ts';
import { type Line, previewLines, priced } from '../order-lines/rules.ts';
import { priceWithin, refuseOtherTotal } from '../order-pricing/domain.ts';
import { type Price, termsOf } from '../order-pricing/rules.ts';
import { getOrder } from '../orders/domain.ts';
import { shippingColumns } from '../orders/rules.ts';
import { createOrder, type NewOrder } from '../orders/write.ts';
import { countryOfPickup, pickupLocationFor } from '../pickup-locations/domain.ts';
import { adminsToMail } from '../preferences/domain.ts';
import { insufficientStock, shortagesOf, takeStock } from '../products/domain.ts';
import { shippingMethodFor } from '../shipping-methods/domain.ts';
import { checkVoucher, useVoucher } from '../vouchers/domain.ts';
import { linesFor, resultingStatus } from './rules.ts';

/** Computes the totals of a phone order and writes nothing (spec PH2). */
export async function previewPhoneOrder(ctx: Ctx, payload: PhoneOrderPayload): Promise<PhoneOrderPreview> {
  const { lines, price } = await quote(ctx, payload, await findCustomer(ctx, payload.customer.email), { hold: false });
  const warnings = await shortagesOf(ctx, lines);
  if (warnings.length > 0) throw insufficientStock(warnings);
  return {
    subtotal_cents: price.subtotal,
    discount_cents: price.discount,
    shipping_cents: price.shipping,
    tax_cents: price.tax,
    total_cents: price.total,
    lines: previewLines(lines, price.lines),
    resulting_status: resultingStatus(payload.payment_status),
    resulting_payment_status: payload.payment_status,
    prices_include_tax: ctx.settings.prices_include_tax,
  };
}

/** Creates a phone order with everything that belongs to it: customer, use of the voucher, stock, mails. */
export async function createPhoneOrder(ctx: Ctx, payload: PhoneOrderPayload): Promise<{ id: number; public_id: string }> {
  const { customer } = payload;
  const customerId = await customerFor(ctx, customer, payload.register_customer);
  const quoted = await quote(ctx, payload, customerId, { hold: true });
  refuseOtherTotal(payload.expected_total_cents, quoted.price.total);
  const made = await createOrder(ctx, orderOf(ctx, payload, customerId, quoted), quoted.lines, quoted.price);
  if (quoted.voucher) await useVoucher(ctx, quoted.voucher.id, { orderId: made.id, customerId });
  await takeStock(ctx, quoted.lines, { reason: 'order placed', orderId: made.id });
  const toTell = await adminsToMail(ctx, 'order_placed');
  if (payload.send_confirmation_email || toTell.length > 0) {
    const order = await getOrder(ctx, made.id);
    if (payload.send_confirmation_email) await queueMail(ctx, { template: 'order_confirmation', to: customer, data: { order } });
    for (const to of toTell) await queueMail(ctx, { template: 'order_placed', to, data: { order } });
  }
  return made;
}

type Shipping = {
  method: string;
  pickup: { id: number; name: string } | null;
  price_cents: number;
  free_over_cents: number | null;
  tax_rate_bps: number;
};
type Quote = { lines: Line[]; shipping: Shipping; voucher: Voucher | null; price: Price };

async function quote(ctx: Ctx, payload: PhoneOrderPayload, customerId: number | null, { hold }: { hold: boolean }): Promise<Quote> {
  const variants = await forSale(
    ctx,
    payload.items.map(({ variant_id }) => variant_id),
    await taxCountryOf(ctx, payload),
  );
  const { lines, faults } = linesFor(payload.items, variants, await groupDiscountOf(ctx, customerId));
  if (faults.length > 0) throw refuseValues(faults);
  const shipping = await shippingOf(ctx, payload);
  const basis = { lines: priced(lines), shipping, pricesIncludeTax: ctx.settings.prices_include_tax };
  const { subtotal } = priceWithin({ ...basis, voucher: null, discount: null });
  const code = payload.voucher_code ?? null;
  const voucher = code === null ? null : await checkVoucher(ctx, code, { subtotal, customerId, orderId: null }, { hold });
  return { lines, shipping, voucher, price: priceWithin({ ...basis, voucher, discount: payload.discount ?? null }) };
}

/** The country whose tax rates count. An order without shipping is taken along in the shop, so the shop's own rates count: ''. */
async function taxCountryOf(ctx: Ctx, { shipping, shipping_address }: PhoneOrderPayload): Promise<string> {
  if (shipping.kind === 'pickup') return countryOfPickup(ctx, shipping.method_id ?? 0);
  return shipping.kind === 'configured' ? (shipping_address?.country ?? '') : '';
}

async function shippingOf(ctx: Ctx, { shipping, shipping_address }: PhoneOrderPayload): Promise<Shipping> {
  const free = { method: '', pickup: null, price_cents: 0, free_over_cents: null, tax_rate_bps: 0 };
  switch (shipping.kind) {
    case 'none':
      return free;
    case 'pickup': {
      const pickup = await pickupLocationFor(ctx, shipping.method_id ?? 0);
      return { ...free, pickup };
    }
    case 'configured': {
      const { name, ...choice } = await shippingMethodFor(ctx, shipping.method_id ?? 0, shipping_address?.country ?? '');
      return { ...choice, method: name, pickup: null };
    }
  }
}

function orderOf(ctx: Ctx, payload: PhoneOrderPayload, customerId: number | null, { shipping, voucher }: Quote): NewOrder {
  const {
    customer: { name: customer_name, email: customer_email, phone: customer_phone, ...ofCustomer },
    shipping_address: address,
    billing_address: billing,
    payment_status,
    discount,
    notes,
    delivery_date,
    ...others
  } = payload;
  // These are priced by `quote`, or say what else `createPhoneOrder` does.
  const { items, shipping: quoted, voucher_code, register_customer, send_confirmation_email, expected_total_cents, ...rest } = others;
  const { kind, method_id, ...ofShipping } = quoted;
  ({ rest, ofCustomer, ofShipping }) satisfies Record<string, Record<string, never>>;
  return {
    customer_id: customerId,
    status: resultingStatus(payment_status),
    payment_status,
    customer_name,
    customer_email,
    customer_phone,
    ...shippingColumns(address),
    billing_address: billing ? JSON.stringify(billing) : null,
    notes: notes ?? '',
    internal_notes: null,
    currency: ctx.settings.currency,
    prices_include_tax: ctx.settings.prices_include_tax ? 1 : 0,
    discount_reason: discount?.reason ?? null,
    voucher_code: voucher?.code ?? null,
    voucher_terms: voucher && termsOf(voucher),
    shipping_method: shipping.method,
    shipping_tax_rate: shipping.tax_rate_bps,
    payment_provider: 'manual',
    pickup_location_id: shipping.pickup?.id ?? null,
    pickup_location_name: shipping.pickup?.name ?? null,
    tracking_number: '',
    // This would be the buyer's address, and the buyer is on the phone or in the shop; it is never the admin's
    // (spec PH9).
    ip_address: '',
    invoice_url: null,
    delivery_date: delivery_date ?? null,
    is_test: 0,
    internal_status_id: null,
  };
}
