import { fold } from '../../../contract/values.ts';
import type { Db, Store } from '../../db/open.ts';
import { reserveIds } from '../../db/reserve-ids.ts';
import type { NewRow } from '../../db/tables.ts';
import { writeSettings } from '../../resources/settings/domain.ts';
import { type BatchWriter, createBatchWriter } from '../batch.ts';
import { CommandError } from '../command.ts';
import { basketPicker } from './basket.ts';
import { buyerPicker } from './buyers.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { INTERNAL_STATUSES, PRODUCTS, type SampleProduct, SHOP_NAME, TAX_RATES } from './catalogue.ts';
import { creditsOf } from './credits.ts';
import { addressRows, customerRow, noteRows, personAt } from './customers.ts';
import { fateOf } from './fate.ts';
import { orderRows } from './orders.ts';
import { productRows, type StockedVariant, VARIANT_COUNT } from './products.ts';
import { randomOf } from './random.ts';
import { createStockBook } from './stock.ts';

export type SampleShop = {
  seed: number;
  /** The shop's present: orders are of the 18 months before. */
  now: Date;
  orders: number;
  onProgress?: (label: string, share: number) => void;
};

const BATCH = 1000;
const USUAL_ORDERS = 2000;

/** Fills an empty shop. Every row follows from seed, clock and number of orders; no more than a batch of orders is held. */
export async function fillSampleShop(store: Store, { seed, now, orders, onProgress }: SampleShop): Promise<void> {
  if (await store.reader.selectFrom('products').select('id').limit(1).executeTakeFirst()) {
    throw new CommandError('this shop already has products: the sample shop needs an empty one (choose another DATA_DIR or DATABASE_URL)');
  }
  const calendar = calendarOf(seed, now.getTime(), orders);
  const customers = Math.max(400, Math.ceil(orders / 5));
  const writer = createBatchWriter();
  const shop = await store.write((tx) => writeShop(store, tx, writer, seed, calendar, orders / USUAL_ORDERS));

  const customerIds: number[] = [];
  for (let from = 0; from < customers; from += BATCH) {
    const indexes = range(from, Math.min(customers, from + BATCH));
    const ids = await store.write(async (tx) => {
      const reserved = await reserveIds(tx, store.dialect, 'customers', indexes.length);
      const people = indexes.map((i, n) => ({ person: personAt(seed, calendar, Math.max(orders, 1), customers, i), id: reserved[n] ?? 0 }));
      await writer.insert(
        tx,
        'customers',
        people.map(({ person, id }) => customerRow(person, id)),
      );
      await writer.insert(
        tx,
        'addresses',
        people.flatMap(({ person, id }) => addressRows(person, id)),
      );
      const randomOfPerson = (index: number) => randomOf(seed, 'notes', index);
      await writer.insert(
        tx,
        'customer_notes',
        people.flatMap(({ person, id }) => noteRows(person, id, randomOfPerson(person.index), calendar.nowMs)),
      );
      const credits = people.flatMap(({ person, id }) => creditsOf(person, id, randomOf(seed, 'credits', person.index), calendar.nowMs));
      const bucketIds = await reserveIds(tx, store.dialect, 'credit_buckets', credits.length);
      await writer.insert(
        tx,
        'credit_buckets',
        credits.map(({ bucket }, n) => ({ id: bucketIds[n] ?? 0, ...bucket })),
      );
      const ledger = credits.flatMap(({ transactions }, n) => transactions.map((entry) => ({ ...entry, credit_id: bucketIds[n] ?? 0 })));
      await writer.insert(
        tx,
        'credit_transactions',
        ledger.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
      );
      return reserved;
    });
    for (const id of ids) customerIds.push(id);
    onProgress?.('customers', customerIds.length / customers);
  }

  const buyerOf = buyerPicker(seed, calendar, orders, customers);
  const pickBasket = basketPicker(shop.stocked);
  const stock = createStockBook(shop.stocked, calendar.opensMs);
  const openings = stock.take();
  await store.write((tx) => writer.insert(tx, 'stock_movements', openings));
  const yearOneEndsMs = calendar.opensMs + 365 * 86_400_000;
  for (let from = 0; from < orders; from += BATCH) {
    const indexes = range(from, Math.min(orders, from + BATCH));
    const ids = await store.write((tx) => reserveIds(tx, store.dialect, 'orders', indexes.length));
    const made: NewRow<'orders'>[] = [];
    const items: NewRow<'order_items'>[] = [];
    indexes.forEach((index, n) => {
      const random = randomOf(seed, 'order', index);
      const atMs = calendar.timeOf(index);
      const person = buyerOf(index, atMs);
      const basket = pickBasket(random, atMs, yearOneEndsMs, person?.isB2b ?? false);
      const fate = fateOf(random, index, calendar.nowMs - atMs);
      const id = ids[n] ?? 0;
      const customerId = person ? (customerIds[person.index] ?? null) : null;
      const rows = orderRows(
        { id, index, atMs, nowMs: calendar.nowMs, person, customerId, basket, fate, internalStatusIds: shop.statusIds },
        random,
      );
      made.push(rows.order);
      items.push(...rows.items);
      stock.sell(basket, id, atMs, fate.status === 'cancelled' ? rows.order.updated_at : null);
    });
    if (indexes.at(-1) === orders - 1) stock.count(seed, calendar.nowMs);
    const [movements, deltas] = [stock.take(), stock.takeDeltas()];
    await store.write(async (tx) => {
      await writer.insert(tx, 'orders', made);
      await writer.insert(tx, 'order_items', items);
      await writer.insert(tx, 'stock_movements', movements);
      await writer.addStock(tx, deltas);
    });
    onProgress?.('orders', (from + indexes.length) / orders);
  }
}

type Shop = { stocked: StockedVariant[]; statusIds: number[] };

async function writeShop(store: Store, tx: Db, writer: BatchWriter, seed: number, calendar: Calendar, scale: number): Promise<Shop> {
  await writeSettings(tx, { shop_name: SHOP_NAME, currency: 'EUR' });
  const rateId = async (tax: SampleProduct['tax']): Promise<number> => {
    const rate = TAX_RATES[tax];
    const row = { ...rate, name_folded: fold(rate.name) };
    const { id } = await tx.insertInto('tax_rates').values(row).returning('id').executeTakeFirstOrThrow();
    return id;
  };
  const taxRates = { standard: await rateId('standard'), reduced: await rateId('reduced'), zero: await rateId('zero') };
  const statusIds = await reserveIds(tx, store.dialect, 'order_statuses', INTERNAL_STATUSES.length);
  await writer.insert(
    tx,
    'order_statuses',
    INTERNAL_STATUSES.map(({ name, color }, i) => ({ id: statusIds[i] ?? 0, name, name_folded: fold(name), color, sort_order: i })),
  );
  const ids = {
    products: await reserveIds(tx, store.dialect, 'products', PRODUCTS.length),
    variants: await reserveIds(tx, store.dialect, 'variants', VARIANT_COUNT),
    taxRates,
  };
  const { products, variants, stocked } = productRows(seed, calendar.opensMs, ids, Math.max(1, scale));
  await writer.insert(tx, 'products', products);
  await writer.insert(tx, 'variants', variants);
  return { stocked, statusIds };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
