import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { NewRow } from '../../db/tables.ts';
import { newPublicId } from '../../values/public-id.ts';
import { foldEmail } from '../../values/stored-emails.ts';
import { digitsOf, sortKey } from '../../values/texts.ts';
import type { Ctx } from '../../verbs/context.ts';
import { saveLines } from '../order-lines/domain.ts';
import type { Line } from '../order-lines/rules.ts';
import type { Price, VoucherTerms } from '../order-pricing/rules.ts';
import { noteBought } from './domain.ts';
import { priceColumns } from './rules.ts';
import * as store from './store.ts';

export type NewOrder = Omit<
  NewRow<'orders'>,
  | keyof ReturnType<typeof priceColumns>
  | 'status'
  | 'payment_status'
  | 'public_id'
  | 'customer_name_folded'
  | 'customer_email_folded'
  | 'phone_digits'
  | 'voucher_terms'
  | 'created_at'
  | 'updated_at'
> & { status: OrderStatus; payment_status: PaymentStatus; voucher_terms: VoucherTerms | null };

/** Stores an order with its lines, audit entry and events. The caller takes the stock. */
export async function createOrder(
  ctx: Ctx,
  { voucher_terms, ...order }: NewOrder,
  lines: readonly Line[],
  price: Price,
): Promise<{ id: number; public_id: string }> {
  const public_id = newPublicId(ctx.random);
  const isBought = order.payment_status === 'paid' || price.total === 0;
  const id = await store.insertOrder(ctx.db, {
    ...order,
    ...priceColumns(price),
    public_id,
    voucher_terms: voucher_terms && JSON.stringify(voucher_terms),
    customer_name_folded: sortKey(order.customer_name),
    customer_email_folded: foldEmail(order.customer_email),
    phone_digits: digitsOf(order.customer_phone),
    paid_amount: order.payment_status === 'paid' ? price.total : 0,
    first_paid_at: isBought ? ctx.now : null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  const added = lines.map((line) => ({ ...line, id: null }));
  await saveLines(ctx, id, [], added, price.lines);
  const { status, payment_status, customer_name, currency } = order;
  ctx.audit({
    resource: { type: 'order', id },
    changes: {
      status: [null, status],
      payment_status: [null, payment_status],
      customer_name: [null, customer_name],
      items: [null, lines.map(({ product_sku, quantity, unit_price }) => ({ product_sku, quantity, unit_price }))],
      total: [null, price.total],
    },
    summary: `Order ${id} created, total ${price.total}`,
  });
  ctx.emit({ type: 'order.created', data: { order_id: id, total: price.total, currency } });
  if (isBought) await noteBought(ctx, { id, customer_id: order.customer_id ?? null, status, payment_status, total: price.total, currency });
  return { id, public_id };
}

type SavedColumns = Omit<Partial<NewRow<'orders'>>, 'id' | 'customer_name_folded' | 'customer_email_folded' | 'phone_digits'>;

/** Writes columns of a locked order and raises its row version. */
export async function saveOrder(ctx: Ctx, id: number, columns: SavedColumns): Promise<void> {
  const { customer_name: name, customer_email: email, customer_phone: phone } = columns;
  await store.updateColumns(
    ctx.db,
    id,
    {
      ...columns,
      ...(name === undefined ? {} : { customer_name_folded: sortKey(name) }),
      ...(email === undefined ? {} : { customer_email_folded: foldEmail(email) }),
      ...(phone === undefined ? {} : { phone_digits: digitsOf(phone) }),
    },
    ctx.now,
  );
}
