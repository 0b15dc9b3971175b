import { setImmediate } from 'node:timers/promises';
import type { Db, Store } from '../../db/open.ts';
import { pauseOrderUpkeep, resumeOrderUpkeep } from '../../db/order-upkeep.ts';
import { reserveIds } from '../../db/queries/reserve-ids.ts';
import type { NewRow } from '../../db/tables.ts';
import { type BatchWriter, createBatchWriter, sortProducts } from '../batch-store.ts';
import { CommandError } from '../command.ts';
import type { Progress } from '../progress.ts';
import { planCustomers, planProducts } from './catalogue.ts';
import { cancelOrder, selectOrderIds } from './import-store.ts';
import { classifyRows, type Invoice } from './invoices.ts';
import { adjustmentRows, movementRows, orderPublicId, orderRows, type Source } from './order-rows.ts';
import { type Columns, readOnlineRetail } from './read.ts';
import { countUp, type Plan, type Report } from './report.ts';
import { writeCatalogue } from './setup.ts';
import { type ImportState, readIds, readState, writeIds, writeState } from './state.ts';

export type ImportOptions = {
  file: string;
  progress: Progress;
  /** Stops the import after the current transaction; the next import of the same file continues there. */
  signal?: AbortSignal;
  /** How many rows of the file one transaction imports, at least. */
  batchRows?: number;
};

export type ImportResult =
  | { outcome: 'finished'; report: Report; unreadable: Columns['unreadable'] }
  | { outcome: 'stopped'; invoicesDone: number; invoices: number }
  | { outcome: 'already'; finishedAt: string };

/** A batch is so small that V8's young generation holds it. With 2,500 rows the process takes 350 MiB instead of 230 and is not faster. */
const BATCH_ROWS = 500;

/**
 * Imports the "Online Retail" CSV. Each transaction stores rows together with the import's progress, so the process can be killed
 * at any moment and started again. What becomes of a row depends on the file alone. Counts and sums are computed at the end.
 */
export async function importOnlineRetail(store: Store, options: ImportOptions): Promise<ImportResult> {
  const { file, progress, signal } = options;
  const columns = await readOnlineRetail(file, (share) => progress.update('reading', share));
  const before = await readState(store.reader);
  if (before && before.sha256 !== columns.sha256) {
    throw new CommandError(
      before.finishedAt
        ? 'another "Online Retail" file is already imported: a shop can take only one'
        : 'the import of another "Online Retail" file is not finished: only the same file can continue it',
    );
  }
  if (before?.finishedAt) return { outcome: 'already', finishedAt: before.finishedAt };

  const plan = planOf(columns);
  const writer = createBatchWriter(store.dialect);
  let state = before ?? (await start(store, writer, columns, plan));
  const source = { columns, plan, ids: await readIds(store.reader) };
  await pauseOrderUpkeep(store);
  try {
    while (state.invoicesDone < state.invoices) {
      if (signal?.aborted) return { outcome: 'stopped', invoicesDone: state.invoicesDone, invoices: state.invoices };
      state = await writeBatch(store, writer, source, state, options.batchRows ?? BATCH_ROWS);
      progress.update('writing', state.invoicesDone / state.invoices);
      // SQLite answers without waiting, so the event loop would handle no signal without this pause.
      await setImmediate();
    }
  } finally {
    await resumeOrderUpkeep(store);
    await store.write(sortProducts);
  }
  await store.write((tx) => writeState(tx, { ...state, finishedAt: new Date().toISOString() }));
  return { outcome: 'finished', report: countUp(columns, plan), unreadable: columns.unreadable };
}

function planOf(columns: Columns): Plan {
  const classified = classifyRows(columns);
  return { ...classified, products: planProducts(columns, classified), customers: planCustomers(columns, classified) };
}

async function start(store: Store, writer: BatchWriter, columns: Columns, plan: Plan): Promise<ImportState> {
  const state = { sha256: columns.sha256, invoicesDone: 0, invoices: plan.invoices.length, finishedAt: null };
  await store.write(async (tx) => {
    if (await readState(tx, store.dialect)) throw new CommandError('another import of this file has just begun', { exitCode: 1 });
    await writeIds(tx, await writeCatalogue(store, tx, writer, plan));
    await writeState(tx, state);
  });
  return state;
}

async function writeBatch(store: Store, writer: BatchWriter, source: Source, state: ImportState, batchRows: number): Promise<ImportState> {
  const batch = nextInvoices(source.plan.invoices, state.invoicesDone, batchRows);
  const next = { ...state, invoicesDone: state.invoicesDone + batch.length };
  await store.write(async (tx) => {
    const stored = await readState(tx, store.dialect);
    if (stored?.invoicesDone !== state.invoicesDone) throw new CommandError('another import of this file is running', { exitCode: 1 });

    const newOrders = batch.filter(({ isOrder }) => isOrder);
    const ids = await reserveIds({ db: tx, dialect: store.dialect }, 'orders', newOrders.length);
    const idOf = new Map(newOrders.map(({ number }, i) => [number, ids[i] ?? 0]));
    const undone = batch.flatMap(({ undoes }) => undoes ?? []).filter(({ number }) => !idOf.has(number));
    for (const [number, id] of await idsOfOrders(tx, undone)) idOf.set(number, id);

    const orders: NewRow<'orders'>[] = [];
    const items: NewRow<'order_items'>[] = [];
    const movements: NewRow<'stock_movements'>[] = [];
    const adjustments: NewRow<'log_entries'>[] = [];
    const stock = new Map<number, number>();
    for (const invoice of batch) {
      const orderId = idOf.get(invoice.undoes?.number ?? invoice.number) ?? null;
      if (invoice.isOrder && orderId !== null) {
        const rows = orderRows(source, invoice, orderId);
        orders.push(rows.order);
        for (const item of rows.items) items.push(item);
      }
      for (const movement of movementRows(source, invoice, orderId)) {
        movements.push(movement);
        stock.set(movement.variant_id, (stock.get(movement.variant_id) ?? 0) + movement.delta);
      }
      adjustments.push(...adjustmentRows(source, invoice));
    }
    await writer.insert(tx, 'orders', orders);
    await writer.insert(tx, 'order_items', items);
    await writer.insert(tx, 'stock_movements', movements);
    await writer.insert(tx, 'log_entries', adjustments);
    await writer.addTo(tx, { table: 'variants', column: 'stock' }, stock);
    for (const { undoes, at } of batch) {
      const id = undoes && idOf.get(undoes.number);
      if (id) await cancelOrder(tx, id, at);
    }
    await writeState(tx, next);
  });
  return next;
}

function nextInvoices(invoices: readonly Invoice[], from: number, batchRows: number): Invoice[] {
  const batch: Invoice[] = [];
  for (let rows = 0; rows < batchRows; ) {
    const invoice = invoices[from + batch.length];
    if (!invoice) break;
    batch.push(invoice);
    rows += invoice.rows.length;
  }
  return batch;
}

/** The ids of the orders that were imported from these invoices, by invoice number. */
async function idsOfOrders(tx: Db, invoices: readonly Invoice[]): Promise<Map<string, number>> {
  const numbers = new Map(invoices.map(({ number }) => [orderPublicId(number), number]));
  const found = await selectOrderIds(tx, [...numbers.keys()]);
  return new Map(found.map(({ id, public_id }) => [numbers.get(public_id) ?? '', id]));
}
