import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../db/open.ts';
import { pauseOrderUpkeep, resumeOrderUpkeep } from '../../db/order-upkeep.ts';
import { reserveIdRange } from '../../db/queries/reserve-ids.ts';
import { makeIndexesAgain, setIndexesAside } from '../../db/set-aside.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import { type BatchWriter, createBatchWriter, sortProducts } from '../batch-store.ts';
import { CommandError } from '../command.ts';
import { calendarOf } from './calendar.ts';
import { peopleOf } from './customers.ts';
import { hasProducts, selectStocks } from './fill-store.ts';
import { ORDER_TABLES, type OrderPlan, orderBatches } from './make-orders.ts';
import { orderBatchesOfThread } from './order-thread.ts';
import { readState, type SampleState, writeState } from './state.ts';
import { writeCatalogue } from './write-catalogue.ts';
import { writeCustomers } from './write-customers.ts';
import { writeOrders } from './write-orders.ts';

export type SampleShop = {
  seed: number;
  orders: number;
  /** The shop's current time; its orders are from the 18 months before. Default: now, or the time of the stopped fill that continues. */
  now?: Date | undefined;
  onProgress?: ((label: string, share: number) => void) | undefined;
  /** Stops the fill after the current batch. */
  signal?: AbortSignal | undefined;
  /** From this number of orders on, a thread of its own makes the orders, and indexes are built after they are written. */
  manyOrders?: number | undefined;
};

export type SampleOutcome = { outcome: 'filled' | 'already' | 'stopped'; state: SampleState };

const MANY_ORDERS = 20_000;
const CUSTOMERS_A_BATCH = 1000;
/** How many customers stay in memory. A few are enough, because they are taken one after another here. */
const AT_HAND = 64;

/**
 * Fills an empty shop, or continues a fill that was stopped. Every row is computed from the seed, the clock, the number of orders and the
 * shop's currency. Only a few batches are in memory, and each is written in one transaction together with the fill's progress.
 */
export async function fillSampleShop(store: Store, shop: SampleShop): Promise<SampleOutcome> {
  const writer = createBatchWriter(store.dialect);
  let state = (await stateOf(store, shop)) ?? (await begin(store, writer, shop));
  if (state.finishedAt !== null) return { outcome: 'already', state };
  const stopped = (): boolean => shop.signal?.aborted ?? false;

  const nowMs = Date.parse(state.now);
  const people = peopleOf(state.seed, calendarOf(state.seed, nowMs, state.orders), Math.max(state.orders, 1), state.customers, AT_HAND);
  while (state.customersDone < state.customers && !stopped()) {
    const customersDone = Math.min(state.customers, state.customersDone + CUSTOMERS_A_BATCH);
    const batch = range(state.customersDone, customersDone).map(people.at);
    state = await step(store, state, { customersDone }, (tx) =>
      writeCustomers(store, tx, writer, { seed: state.seed, nowMs, ids: state.ids }, batch),
    );
    shop.onProgress?.('customers', customersDone / state.customers);
  }

  const isMany = state.orders - state.ordersDone >= (shop.manyOrders ?? MANY_ORDERS);
  if (isMany && !stopped()) {
    await setIndexesAside(store, ORDER_TABLES);
    await pauseOrderUpkeep(store);
  }
  const plan = await planOf(store, state);
  for await (const batch of isMany ? orderBatchesOfThread(plan) : orderBatches(plan)) {
    // SQLite answers without waiting, so the event loop would handle no signal without this pause.
    await setImmediate();
    if (stopped()) break;
    state = await step(store, state, { ordersDone: batch.ordersDone }, (tx) => writeOrders(store, tx, writer, batch));
    shop.onProgress?.('orders', batch.ordersDone / state.orders);
  }
  const onNext = (name: string, share: number) => shop.onProgress?.(`index ${name}`, share);
  await makeIndexesAgain(store, { onNext, signal: shop.signal });
  await store.write(sortProducts);
  if (stopped()) return { outcome: 'stopped', state };
  shop.onProgress?.('counts and search', 0);
  await resumeOrderUpkeep(store);
  state = await step(store, state, { finishedAt: new Date().toISOString() }, async () => undefined);
  return { outcome: 'filled', state };
}

/** The progress of the requested shop; null if the store is empty. Throws if the store has another shop. */
async function stateOf(store: Store, { seed, orders, now }: SampleShop): Promise<SampleState | null> {
  const state = await readState(store.reader);
  const isThis = state?.seed === seed && state.orders === orders && (now === undefined || now.toISOString() === state.now);
  if (state && (isThis || state.finishedAt === null)) {
    if (isThis) return state;
    const options = `--orders ${state.orders} --seed ${state.seed} --clock ${state.now}`;
    throw new CommandError(
      `another sample shop is half filled here: continue it with ${options}, or choose another DATA_DIR or DATABASE_URL`,
    );
  }
  if (await hasProducts(store.reader)) {
    throw new CommandError('this shop already has products: the sample shop needs an empty one (choose another DATA_DIR or DATABASE_URL)');
  }
  return null;
}

function begin(store: Store, writer: BatchWriter, { seed, orders, now = new Date() }: SampleShop): Promise<SampleState> {
  const customers = Math.max(400, Math.ceil(orders / 20));
  const calendar = calendarOf(seed, now.getTime(), orders);
  return store.write(async (tx) => {
    if (await readState(tx, store.dialect)) throw new CommandError('another fill has just begun', { exitCode: 1 });
    const ids = {
      ...(await writeCatalogue(store, tx, writer, { seed, orders, opensMs: calendar.opensMs, nowMs: calendar.nowMs })),
      firstCustomer: await reserveIdRange({ db: tx, dialect: store.dialect }, 'customers', customers),
      firstOrder: await reserveIdRange({ db: tx, dialect: store.dialect }, 'orders', orders),
    };
    const state = { seed, now: now.toISOString(), orders, customers, ids, customersDone: 0, ordersDone: 0, finishedAt: null };
    await writeState(tx, state);
    return state;
  });
}

/** Writes rows and the fill's new progress in one transaction. */
function step(
  store: Store,
  state: SampleState,
  progress: Partial<SampleState>,
  work: (tx: Store['reader']) => Promise<void>,
): Promise<SampleState> {
  const next = { ...state, ...progress };
  return store.write(async (tx) => {
    const stored = await readState(tx, store.dialect);
    if (stored?.customersDone !== state.customersDone || stored.ordersDone !== state.ordersDone) {
      throw new CommandError('another fill of this shop is running', { exitCode: 1 });
    }
    await work(tx);
    await writeState(tx, next);
    return next;
  });
}

async function planOf(store: Store, state: SampleState): Promise<OrderPlan> {
  const { seed, orders, customers, ids, ordersDone } = state;
  const stocks = await selectStocks(store.reader, ids.variants);
  const stockOf = new Map(stocks.map(({ id, stock }) => [id, stock]));
  const stock = ids.variants.map((id) => stockOf.get(id) ?? 0);
  const { currency, currency_exponent: currencyExponent } = await readSettings(store.reader);
  return { seed, nowMs: Date.parse(state.now), orders, customers, ids, from: ordersDone, stock, currency, currencyExponent };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
