import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../db/open.ts';
import { pauseOrderUpkeep, resumeOrderUpkeep } from '../../db/order-upkeep.ts';
import { reserveIdRange } from '../../db/reserve-ids.ts';
import { makeIndexesAgain, setIndexesAside } from '../../db/set-aside.ts';
import { type BatchWriter, createBatchWriter } from '../batch-store.ts';
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
  /** The shop's present: orders are of the 18 months before. Left out: now, or that of the fill which goes on. */
  now?: Date | undefined;
  onProgress?: ((label: string, share: number) => void) | undefined;
  /** Stops after the batch that is being written. */
  signal?: AbortSignal | undefined;
  /** From so many orders on: a thread of their own, and indexes that are made afterwards. */
  manyOrders?: number | undefined;
};

export type SampleOutcome = { outcome: 'filled' | 'already' | 'stopped'; state: SampleState };

const MANY_ORDERS = 20_000;
const CUSTOMERS_A_BATCH = 1000;
/** They are taken one after the other here. */
const AT_HAND = 64;

/**
 * Fills an empty shop, or goes on with one that was stopped. Every row follows from seed, clock and number of orders;
 * no more than a few batches are held, and each is one transaction with the note of how far the fill is.
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
    // SQLite answers at once: without a pause no signal would ever arrive.
    await setImmediate();
    if (stopped()) break;
    state = await step(store, state, { ordersDone: batch.ordersDone }, (tx) => writeOrders(store, tx, writer, batch));
    shop.onProgress?.('orders', batch.ordersDone / state.orders);
  }
  const onNext = (name: string, share: number) => shop.onProgress?.(`index ${name}`, share);
  await makeIndexesAgain(store, { onNext, signal: shop.signal });
  if (stopped()) return { outcome: 'stopped', state };
  shop.onProgress?.('counts and search', 0);
  await resumeOrderUpkeep(store);
  state = await step(store, state, { finishedAt: new Date().toISOString() }, async () => undefined);
  return { outcome: 'filled', state };
}

/** How far the shop is that is asked for; null where there is none. */
async function stateOf(store: Store, { seed, orders, now }: SampleShop): Promise<SampleState | null> {
  const state = await readState(store.reader);
  const isThis = state?.seed === seed && state.orders === orders && (now === undefined || now.toISOString() === state.now);
  if (state && (isThis || state.finishedAt === null)) {
    if (isThis) return state;
    const options = `--orders ${state.orders} --seed ${state.seed} --clock ${state.now}`;
    throw new CommandError(`another sample shop is half filled here: go on with ${options}, or choose another DATA_DIR or DATABASE_URL`);
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
      firstCustomer: await reserveIdRange(tx, store.dialect, 'customers', customers),
      firstOrder: await reserveIdRange(tx, store.dialect, 'orders', orders),
    };
    const state = { seed, now: now.toISOString(), orders, customers, ids, customersDone: 0, ordersDone: 0, finishedAt: null };
    await writeState(tx, state);
    return state;
  });
}

/** A transaction that writes rows and notes how far the fill is with them. */
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
  return { seed, nowMs: Date.parse(state.now), orders, customers, ids, from: ordersDone, stock };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
