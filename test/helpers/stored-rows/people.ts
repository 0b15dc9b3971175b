import type { Store } from '../../../server/db/open.ts';

/** Tokens and admins as time, another server or an older version leaves them. */

const PAST = '2020-01-01T00:00:00.000Z';

/** A token whose days are over: the API makes tokens that last a day at least. */
export async function expireToken(store: Store, tokenId: number): Promise<void> {
  await store.write((db) => db.updateTable('tokens').set({ expires_at: PAST }).where('id', '=', tokenId).execute());
}

/** A token that another server has revoked: what the API revokes, its own server knows at once. */
export async function revokeElsewhere(store: Store, tokenId: number): Promise<void> {
  await store.write((db) => db.updateTable('tokens').set({ revoked_at: PAST }).where('id', '=', tokenId).execute());
}

/** Likewise an admin whom another server has deactivated. */
export async function deactivateElsewhere(store: Store, adminId: number): Promise<void> {
  await store.write((db) => db.updateTable('admins').set({ active: 0 }).where('id', '=', adminId).execute());
}

/** A token with a list that an older version took and the API refuses today. */
export async function storeTokenList(store: Store, tokenId: number, list: readonly string[]): Promise<void> {
  const permissions = JSON.stringify(list);
  await store.write((db) => db.updateTable('tokens').set({ permissions }).where('id', '=', tokenId).execute());
}

/** An admin likewise. */
export async function storeAdminList(store: Store, adminId: number, list: readonly string[]): Promise<void> {
  const permissions = JSON.stringify(list);
  await store.write((db) => db.updateTable('admins').set({ permissions }).where('id', '=', adminId).execute());
}
