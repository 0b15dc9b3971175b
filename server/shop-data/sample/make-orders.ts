import type { NewRow } from '../../db/tables.ts';
import { type TableValues, valuesOf } from '../batch.ts';
import { basketPicker } from './basket.ts';
import { buyerPicker } from './buyers.ts';
import { calendarOf } from './calendar.ts';
import { peopleOf } from './customers.ts';
import { fateOf } from './fate.ts';
import { orderRows } from './orders.ts';
import { productRows, scaleOf } from './products.ts';
import { randomOf } from './random.ts';
import type { SampleIds } from './state.ts';
import { createStockBook } from './stock.ts';

/** What the orders of a shop follow from, and where to begin. */
export type OrderPlan = {
  seed: number;
  nowMs: number;
  orders: number;
  customers: number;
  ids: SampleIds;
  from: number;
  /** What the variants have when the first of these orders comes, in their order. */
  stock: readonly number[];
};

export type OrderBatch = {
  ordersDone: number;
  rows: TableValues[];
  /** By variant, what its movements add up to. */
  stock: ReadonlyMap<number, number>;
};

const BATCH = 1000;
const YEAR_MS = 365 * 86_400_000;

/** The orders with all that hangs on them, batch after batch: no more than one is held. */
export function* orderBatches({ seed, nowMs, orders, customers, ids, from, stock }: OrderPlan): Generator<OrderBatch> {
  const calendar = calendarOf(seed, nowMs, orders);
  const { stocked } = productRows(seed, calendar.opensMs, ids, scaleOf(orders));
  for (const [i, variant] of stocked.entries()) variant.stock = stock[i] ?? 0;
  const book = createStockBook(stocked, calendar.opensMs);
  const buyerOf = buyerPicker(seed, peopleOf(seed, calendar, orders, customers), orders);
  const pickBasket = basketPicker(stocked);

  for (let start = from; start < orders; start += BATCH) {
    const end = Math.min(orders, start + BATCH);
    const made: NewRow<'orders'>[] = [];
    const items: NewRow<'order_items'>[] = [];
    for (let index = start; index < end; index++) {
      const random = randomOf(seed, 'order', index);
      const atMs = calendar.timeOf(index);
      const person = buyerOf(index, atMs);
      const basket = pickBasket(random, atMs, calendar.opensMs + YEAR_MS, person?.isB2b ?? false);
      const fate = fateOf(random, index, nowMs - atMs);
      const id = ids.firstOrder + index;
      const customerId = person ? ids.firstCustomer + person.index : null;
      const rows = orderRows({ id, index, atMs, nowMs, person, customerId, basket, fate, internalStatusIds: ids.statuses }, random);
      made.push(rows.order);
      for (const item of rows.items) items.push(item);
      book.sell(basket, id, atMs, fate.status === 'cancelled' ? rows.order.updated_at : null);
    }
    if (end === orders) book.count(seed, nowMs);
    yield {
      ordersDone: end,
      rows: [valuesOf('orders', made), valuesOf('order_items', items), valuesOf('stock_movements', book.take())],
      stock: book.takeDeltas(),
    };
  }
}
