import type { Database, NewRow } from '../../db/tables.ts';
import { type TableValues, valuesOf } from '../table-values.ts';
import { basketPicker } from './basket.ts';
import { buyerPicker } from './buyers.ts';
import { calendarOf } from './calendar.ts';
import { sampleVouchers } from './commerce.ts';
import { peopleOf } from './customers.ts';
import { fateOf, isShowcase } from './fate.ts';
import { basketPricer } from './order-price.ts';
import { type ItemRow, itemRows, type OrderRow, orderRow } from './orders.ts';
import { paymentRows } from './payments.ts';
import { productRows, scaleOf } from './products.ts';
import { randomOf } from './random.ts';
import { shipmentRows } from './shipments.ts';
import type { SampleIds } from './state.ts';
import { createStockBook } from './stock.ts';
import { type SubscriptionRows, subscriptionOf } from './subscriptions.ts';

/** All that the orders of a shop are computed from. `from`: the index of the first order to make. */
export type OrderPlan = {
  seed: number;
  nowMs: number;
  orders: number;
  customers: number;
  ids: SampleIds;
  from: number;
  currency: string;
  currencyExponent: number;
  /** The stock of each variant before the first of these orders, in the order of `ids.variants`. */
  stock: readonly number[];
};

/** Tables whose ids are assigned when the batch is written; in the batch's rows, their ids count from 0. */
export type CountedTable = 'order_items' | 'subscriptions';

export type OrderBatch = {
  ordersDone: number;
  /** `counted`: for each column with an id that counts from 0, the table that the id is of. */
  rows: (TableValues & { counted: Readonly<Record<string, CountedTable>> })[];
  counts: Readonly<Record<CountedTable, number>>;
  /** The sum of each variant's stock movements, by variant id. */
  stock: ReadonlyMap<number, number>;
  /** The number of uses of each voucher, by voucher id. */
  voucherUses: ReadonlyMap<number, number>;
};

const BATCH = 1000;
const YEAR_MS = 365 * 86_400_000;

/** Makes the orders with all rows that belong to them, one batch at a time, so that only one batch is in memory. */
export function* orderBatches(plan: OrderPlan): Generator<OrderBatch> {
  const { seed, nowMs, orders, customers, ids } = plan;
  const calendar = calendarOf(seed, nowMs, orders);
  const { stocked } = productRows(seed, calendar.opensMs, ids, scaleOf(orders));
  for (const [i, variant] of stocked.entries()) variant.stock = plan.stock[i] ?? 0;
  const book = createStockBook(stocked, calendar.opensMs);
  const buyerOf = buyerPicker(seed, peopleOf(seed, calendar, orders, customers), orders);
  const pickBasket = basketPicker(stocked, calendar.opensMs + YEAR_MS);
  const vouchers = sampleVouchers(calendar.opensMs, nowMs);
  const priceBasket = basketPricer(vouchers);
  const frame = { orders, ids, vouchers, currency: plan.currency, currencyExponent: plan.currencyExponent };

  for (let start = plan.from; start < orders; start += BATCH) {
    const end = Math.min(orders, start + BATCH);
    const made = emptyRows();
    for (let index = start; index < end; index++) {
      const random = randomOf(seed, 'order', index);
      const atMs = calendar.timeOf(index);
      const person = buyerOf(index, atMs);
      const basket = pickBasket(random, atMs, { isB2b: person?.isB2b ?? false, subscribes: person !== null && isShowcase(index) });
      const fate = fateOf(random, index, nowMs - atMs);
      const priced = priceBasket({ basket, person, index, atMs, fate }, random);
      const sample = { id: ids.firstOrder + index, index, atMs, nowMs, person, fate, priced };
      const order = orderRow(frame, sample, random);
      const items = itemRows(sample, made.order_items.length, random);
      for (const item of items) made.order_items.push(item);
      for (const payment of paymentRows(order, random)) made.payments.push(payment);
      for (const shipment of shipmentRows(frame, sample, order, random)) made.shipments.push(shipment);
      const subscribed = subscriptionOf(sample, order, items, made.subscriptions.length, random);
      if (subscribed) {
        made.subscriptions.push(subscribed.subscription);
        for (const invoice of subscribed.invoices) made.subscription_invoices.push(invoice);
      }
      if (priced.voucher !== null && order.status !== 'cancelled') {
        const use = { voucher_id: ids.vouchers[priced.voucher], customer_id: order.customer_id };
        made.voucher_uses.push({ ...use, order_id: sample.id, at: order.created_at });
      }
      made.orders.push(order);
      book.sell(basket, sample.id, atMs, order.status === 'cancelled' ? order.updated_at : null);
    }
    if (end === orders) book.count(seed, nowMs);
    made.stock_movements = book.take();
    yield batchOf(end, made, book.takeDeltas());
  }
}

type Rows = {
  orders: OrderRow[];
  order_items: ItemRow[];
  stock_movements: NewRow<'stock_movements'>[];
  voucher_uses: NewRow<'voucher_uses'>[];
  payments: NewRow<'payments'>[];
  shipments: NewRow<'shipments'>[];
  subscriptions: SubscriptionRows['subscription'][];
  subscription_invoices: NewRow<'subscription_invoices'>[];
};

/** The tables that get rows with the orders. */
export const ORDER_TABLES = [
  'orders',
  'order_items',
  'stock_movements',
  'voucher_uses',
  'payments',
  'shipments',
  'subscriptions',
  'subscription_invoices',
] as const satisfies readonly (keyof Rows & keyof Database)[];

function emptyRows(): Rows {
  return {
    orders: [],
    order_items: [],
    stock_movements: [],
    voucher_uses: [],
    payments: [],
    shipments: [],
    subscriptions: [],
    subscription_invoices: [],
  };
}

function batchOf(ordersDone: number, made: Rows, stock: ReadonlyMap<number, number>): OrderBatch {
  const voucherUses = new Map<number, number>();
  for (const { voucher_id } of made.voucher_uses) voucherUses.set(voucher_id, (voucherUses.get(voucher_id) ?? 0) + 1);
  return {
    ordersDone,
    rows: [
      { ...valuesOf('orders', made.orders), counted: {} },
      { ...valuesOf('order_items', made.order_items), counted: { id: 'order_items' } },
      { ...valuesOf('stock_movements', made.stock_movements), counted: {} },
      { ...valuesOf('voucher_uses', made.voucher_uses), counted: {} },
      { ...valuesOf('payments', made.payments), counted: {} },
      { ...valuesOf('shipments', made.shipments), counted: {} },
      { ...valuesOf('subscriptions', made.subscriptions), counted: { id: 'subscriptions', order_item_id: 'order_items' } },
      { ...valuesOf('subscription_invoices', made.subscription_invoices), counted: { subscription_id: 'subscriptions' } },
    ],
    counts: { order_items: made.order_items.length, subscriptions: made.subscriptions.length },
    stock,
    voucherUses,
  };
}
