import { sql } from 'kysely';
import { scopeOf } from '../../../server/calls/idempotency.ts';
import { takeLease } from '../../../server/db/leases.ts';
import type { Store } from '../../../server/db/open.ts';

/** Rows that contradict one another, as only a fault leaves them, and what a storefront or another server writes. */

/** Books that were cooked: a stock, a total, a line and a voucher's uses that nothing explains. */
export async function cookBooks(store: Store, of: { variant: number; order: number; voucher: string }): Promise<void> {
  await store.write(async (db) => {
    await sql`UPDATE variants SET stock = stock + 1 WHERE id = ${of.variant}`.execute(db);
    await sql`UPDATE orders SET total = total + 1, status = 'pending' WHERE id = ${of.order}`.execute(db);
    await sql`UPDATE order_items SET quantity = quantity + 1000 WHERE order_id = ${of.order}`.execute(db);
    await sql`UPDATE vouchers SET used_count = used_count + 1 WHERE code = ${of.voucher}`.execute(db);
  });
}

/** A stock that no movement explains: by the API each change is a movement. */
export async function storeStock(store: Store, variantId: number, stock: number): Promise<void> {
  await store.write((db) => db.updateTable('variants').set({ stock }).where('id', '=', variantId).execute());
}

/** The address that a customer of a storefront registered from: the API makes customers without one. */
export async function storeRegisterIp(store: Store, customerId: number, register_ip: string): Promise<void> {
  await store.write((db) => db.updateTable('customers').set({ register_ip }).where('id', '=', customerId).execute());
}

/** An order of a storefront, which knows the buyer's address and has its invoice made: the API's has neither. */
export async function storeTraces(store: Store, orderId: number, traces: { ip_address: string; invoice_url: string }): Promise<void> {
  await store.write((db) => db.updateTable('orders').set(traces).where('id', '=', orderId).execute());
}

/** A transaction of somebody else that changes nothing, and needs the writer as any other does. */
export async function writeNothing(store: Store): Promise<void> {
  await store.write((db) => sql`UPDATE settings SET value = value WHERE key = ''`.execute(db));
}

/** Another server works on the owner's request with this key, for a minute, and never ends: no second server could be told to. */
export async function holdRequest(store: Store, method: string, path: string, key: string): Promise<void> {
  const { id: adminId } = await store.reader.selectFrom('admins').select('id').executeTakeFirstOrThrow();
  const owner = { type: 'admin', adminId, name: '', role: 'owner', tokenId: 0, permissions: new Set<string>() } as const;
  await store.write((db) => takeLease({ db, dialect: store.dialect }, scopeOf(owner, method, path, key), 'another server', 60_000));
}
