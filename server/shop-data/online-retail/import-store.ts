import type { Db } from '../../db/open.ts';

export async function selectOrderIds(db: Db, publicIds: readonly string[]): Promise<{ id: number; public_id: string }[]> {
  if (publicIds.length === 0) return [];
  return db.selectFrom('orders').select(['id', 'public_id']).where('public_id', 'in', publicIds).execute();
}

/** Marks an order as cancelled and refunded. Its row version stays the same, because the import raises no row versions. */
export async function cancelOrder(db: Db, id: number, at: string): Promise<void> {
  await db.updateTable('orders').set({ status: 'cancelled', payment_status: 'refunded', updated_at: at }).where('id', '=', id).execute();
}
