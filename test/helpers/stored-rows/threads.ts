import type { Store } from '../../../server/db/open.ts';

/** As if the server that works on a thread had died, and another one had found its lease lapsed. */
export async function lapseThread(store: Store, threadId: number): Promise<void> {
  await store.write(async (db) => {
    await db.updateTable('leases').set({ holder: 'of the dead', lease_until: 0 }).where('name', '=', `thread ${threadId}`).execute();
  });
}
