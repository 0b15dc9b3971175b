import type { Db, Store } from '../../../server/db/open.ts';
import type { NewRow } from '../../../server/db/tables.ts';
import { createLocalSignInLink } from '../../../server/resources/tokens/local-links.ts';

const PAST = '2020-01-01T00:00:00.000Z';

/** A session that nobody has renewed for long, or whose last day has passed: the API makes none in less than half a day. */
export async function ageSession(store: Store, id: number, age: 'idle' | 'end'): Promise<void> {
  await store.write(async (db) => {
    if (age === 'idle') await db.updateTable('sessions').set({ renewed_at: PAST }).where('id', '=', id).execute();
    else {
      await db.updateTable('sessions').set({ expires_at: PAST }).where('id', '=', id).execute();
      await db.updateTable('tokens').set({ expires_at: PAST }).where('id', '=', id).execute();
    }
  });
}

/** The code of a link that a command on the machine makes in the store, without a server. */
export async function machineCode(store: Store, adminId: number): Promise<string> {
  const { path } = await store.write((db) => createLocalSignInLink(db, adminId, 15, new Date().toISOString()));
  return path.split('#')[1] ?? '';
}

/** A passkey of a transaction that the test itself has opened, to look at one part alone. */
export async function storePasskey(db: Db, row: Omit<NewRow<'passkeys'>, 'name' | 'last_used_at' | 'deleted_at'>): Promise<void> {
  await db
    .insertInto('passkeys')
    .values({ ...row, name: 'Laptop', last_used_at: null, deleted_at: null })
    .execute();
}

/** The access tokens that sessions have end now, as they do after ten minutes. */
export async function expireSessionTokens(store: Store): Promise<void> {
  await store.write((db) => db.updateTable('session_tokens').set({ expires_at: PAST }).execute());
}
