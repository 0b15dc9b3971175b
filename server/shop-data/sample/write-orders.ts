import type { Db, Store } from '../../db/open.ts';
import { reserveIdRange } from '../../db/queries/reserve-ids.ts';
import type { BatchWriter } from '../batch-store.ts';
import type { OrderBatch } from './make-orders.ts';

/** Writes a batch. Reserves ids for its rows and replaces the ids that count from 0 by them. */
export async function writeOrders(store: Store, tx: Db, writer: BatchWriter, batch: OrderBatch): Promise<void> {
  const firsts = {
    order_items: await reserveIdRange({ db: tx, dialect: store.dialect }, 'order_items', batch.counts.order_items),
    subscriptions: await reserveIdRange({ db: tx, dialect: store.dialect }, 'subscriptions', batch.counts.subscriptions),
  };
  for (const { counted, ...rows } of batch.rows) {
    for (const [column, table] of Object.entries(counted)) addTo(rows, column, firsts[table]);
    await writer.insertValues(tx, rows);
  }
  await writer.addTo(tx, { table: 'variants', column: 'stock' }, batch.stock);
  await writer.addTo(tx, { table: 'vouchers', column: 'used_count' }, batch.voucherUses);
}

function addTo({ columns, values }: { columns: readonly string[]; values: unknown[] }, column: string, first: number): void {
  // A table without rows has no columns here either.
  if (values.length === 0) return;
  for (let i = columns.indexOf(column); i < values.length; i += columns.length) values[i] = Number(values[i]) + first;
}
