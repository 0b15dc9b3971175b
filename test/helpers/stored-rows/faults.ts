import { sql } from 'kysely';
import { scopeOf } from '../../../server/calls/keys/idempotency.ts';
import type { Store } from '../../../server/db/open.ts';
import { takeLease } from '../../../server/db/queries/leases.ts';

/** Rows that contradict each other, as only a fault can leave them, and rows that a storefront or another server writes. */

/** Changes a stock, an order's total, an order line and a voucher's number of uses, so that they contradict the other rows. */
export async function cookBooks(store: Store, of: { variant: number; order: number; voucher: string }): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE variants SET stock = stock + 1 WHERE id = ${of.variant}`.execute(db);
    await sql`UPDATE orders SET total = total + 1, status = 'pending' WHERE id = ${of.order}`.execute(db);
    await sql`UPDATE order_items SET quantity = quantity + 1000 WHERE order_id = ${of.order}`.execute(db);
    await sql`UPDATE vouchers SET used_count = used_count + 1 WHERE code = ${of.voucher}`.execute(db);
  });
}

/** Stores a stock without a stock movement; through the API, each change of a stock is a movement. */
export async function storeStock(store: Store, variantId: number, stock: number): Promise<void> {
  await store.write((db) => db.updateTable('variants').set({ stock }).where('id', '=', variantId).execute());
}

/** Stores the IP address from which a customer registered in a storefront; customers that the API makes have none. */
export async function storeRegisterIp(store: Store, customerId: number, register_ip: string): Promise<void> {
  await store.write((db) => db.updateTable('customers').set({ register_ip }).where('id', '=', customerId).execute());
}

/** Gives an order the buyer's IP address and an invoice, as a storefront does; orders that the API makes have neither. */
export async function storeTraces(store: Store, orderId: number, traces: { ip_address: string; invoice_url: string }): Promise<void> {
  await store.write((db) => db.updateTable('orders').set(traces).where('id', '=', orderId).execute());
}

/** Runs a transaction outside the server that changes nothing but needs the writer, as every transaction does. */
export async function writeNothing(store: Store): Promise<void> {
  await store.write((db) => sql`UPDATE settings SET value = value WHERE key = ''`.execute(db));
}

/** Makes another server seem to be working, for a minute, on the owner's request with this key. No real server could be made to. */
export async function holdRequest(store: Store, method: string, path: string, key: string): Promise<void> {
  const { id: adminId } = await store.reader.selectFrom('admins').select('id').executeTakeFirstOrThrow();
  const owner = { type: 'admin', adminId, name: '', role: 'owner', tokenId: 0, permissions: new Set<string>() } as const;
  await store.write((db) => takeLease({ db, dialect: store.dialect }, scopeOf(owner, method, path, key), 'another server', 60_000));
}

/** Leaves what a server leaves that died while it answered calls of a dry run, so many milliseconds before the mark is old. */
export async function leaveMark(store: Store, claimId: number, leftMs: number): Promise<void> {
  const name = `dry run of claim ${claimId}`;
  await store.write(async (db) => {
    await sql`DELETE FROM leases WHERE name = ${name}`.execute(db);
    await takeLease({ db, dialect: store.dialect }, name, 'a server that died', leftMs);
  });
}

/**
 * Removes one note of a client and one movement of stock that a run made, and doubles a note of a run: what a shop that loses or repeats
 * writes would leave. The API does neither. Returns the texts of the three.
 */
export async function loseAndRepeat(store: Store): Promise<{ lost: string; lostOfRun: string; repeatedOfRun: string }> {
  return store.write(async (db) => {
    const notes = db.selectFrom('customer_notes').selectAll().orderBy('id');
    const lost = await notes.where('body', 'like', 'c%').executeTakeFirstOrThrow();
    const repeated = await notes.where('body', 'like', 'r%/1').executeTakeFirstOrThrow();
    const movement = await db.selectFrom('stock_movements').selectAll().where('reason', 'like', 'r%/3').executeTakeFirstOrThrow();
    await db.deleteFrom('customer_notes').where('id', '=', lost.id).execute();
    await db.deleteFrom('stock_movements').where('id', '=', movement.id).execute();
    const { id: _, ...copy } = repeated;
    await db.insertInto('customer_notes').values(copy).execute();
    return { lost: lost.body, lostOfRun: movement.reason, repeatedOfRun: repeated.body };
  });
}
