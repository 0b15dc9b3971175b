import type { Store } from '../../db/open.ts';
import type { SecretKeys } from '../../process/secret-keys.ts';
import { lockSecrets } from './domain.ts';
import { open, seal } from './sealing.ts';
import { selectOfOtherKeys, updateSealed } from './store.ts';

const BATCH = 100;

/**
 * Seals every secret with the current key that another key has sealed. It can be stopped at any point and begun again. `unreadable`: the
 * names of those that no key opens, which stay as they are.
 */
export async function sealAllAgain(store: Store, keys: SecretKeys): Promise<{ sealed: number; unreadable: string[] }> {
  const done = { sealed: 0, unreadable: [] as string[] };
  const key = keys.current();
  for (let after = 0; ; ) {
    const last = await store.write(async (db) => {
      // No server seals a value meanwhile; one that has waited reads the key anew.
      await lockSecrets({ db, dialect: store.dialect });
      const rows = await selectOfOtherKeys(db, { keyId: key.id, after, limit: BATCH });
      for (const row of rows) {
        const value = open(keys.all(), row, row);
        if (value === null) done.unreadable.push(row.name);
        else {
          await updateSealed(db, row.id, seal(key, row, value));
          done.sealed += 1;
        }
      }
      return rows.at(-1)?.id;
    });
    if (last === undefined) return done;
    after = last;
  }
}
