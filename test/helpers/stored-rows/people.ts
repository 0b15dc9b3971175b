import type { Store } from '../../../server/db/open.ts';

/** Tokens and admins as the passing of time, another server or an older version leaves them. */

const PAST = '2020-01-01T00:00:00.000Z';

/** Lets a token expire; tokens that the API makes last a day at least. */
export async function expireToken(store: Store, tokenId: number, at: string = PAST): Promise<void> {
  await store.write((db) => db.updateTable('tokens').set({ expires_at: at }).where('id', '=', tokenId).execute());
}

/** Revokes a token as another server does. The test's server would know at once what is revoked through its own API. */
export async function revokeElsewhere(store: Store, tokenId: number): Promise<void> {
  await store.write((db) => db.updateTable('tokens').set({ revoked_at: PAST }).where('id', '=', tokenId).execute());
}

/** Deactivates an admin as another server does. */
export async function deactivateElsewhere(store: Store, adminId: number): Promise<void> {
  await store.write((db) => db.updateTable('admins').set({ active: 0 }).where('id', '=', adminId).execute());
}

/** Gives a token a list of permissions that an older version accepted and the API refuses today. */
export async function storeTokenList(store: Store, tokenId: number, list: readonly string[]): Promise<void> {
  const permissions = JSON.stringify(list);
  await store.write((db) => db.updateTable('tokens').set({ permissions }).where('id', '=', tokenId).execute());
}

/** Gives an admin such a list of permissions. */
export async function storeAdminList(store: Store, adminId: number, list: readonly string[]): Promise<void> {
  const permissions = JSON.stringify(list);
  await store.write((db) => db.updateTable('admins').set({ permissions }).where('id', '=', adminId).execute());
}

/** Stores how an admin's console looks, as a version of the server did that knew less of it. */
export async function storeConsole(store: Store, adminId: number, known: object): Promise<void> {
  const console = JSON.stringify(known);
  await store.write((db) => db.updateTable('admins').set({ console }).where('id', '=', adminId).execute());
}

/** Lets all one-time links and invitations expire; those that the API makes last some minutes at least. */
export async function expireLinks(store: Store): Promise<void> {
  await store.write(async (db) => {
    await db.updateTable('one_time_links').set({ expires_at: PAST }).execute();
    await db.updateTable('admin_invitations').set({ expires_at: PAST }).execute();
  });
}

/** Lets the links that were sent by mail have been sent long ago. */
export async function ageLinks(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('one_time_links').set({ created_at: PAST }).execute());
}
