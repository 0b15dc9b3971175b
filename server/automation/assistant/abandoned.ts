import type { Services } from '../../services.ts';
import { endTurn, LEASE_PREFIX } from './lease.ts';
import * as store from './store.ts';
import { changeThread } from './threads.ts';

const BATCH = 50;
const WHY = 'The server stopped while it worked. Retry goes on.';

/** Marks threads as failed on which a server worked that died. */
export async function failAbandoned({ store: data, threadFollowers }: Services): Promise<void> {
  const found = await store.selectLeaderless({ db: data.reader, dialect: data.dialect }, LEASE_PREFIX, BATCH);
  for (const id of found) {
    await data.write(async (db) => {
      const at = { db, dialect: data.dialect };
      const row = await store.lockThread(db, { id });
      // Meanwhile it may have been stopped, or a new turn may have begun.
      const [left] = await store.selectLeaderless(at, LEASE_PREFIX, BATCH, id);
      if (row?.state !== 'working' || left !== id) return;
      await endTurn(at, id);
      await changeThread(db, row, { at: new Date().toISOString(), state: 'failed', error: WHY });
    });
    threadFollowers.fire(id);
  }
}
