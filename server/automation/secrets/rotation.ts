import type { Db, Store } from '../../db/open.ts';
import type { Keyring } from '../../process/keyring.ts';
import { lockSecrets } from './domain.ts';
import { open, type Place, type Sealed, seal } from './sealing.ts';
import { selectOfOtherKeys, updateSealed } from './store.ts';

const BATCH = 100;

/** `value`: opens it; null: none of these keys does. */
type SealedValue = { id: number; name: string; place: Place; value(keys: Keyring): string | null };

/** A table with encrypted values. */
export type SealedTable = {
  /** The next values that are to be sealed with the key, in the order of their ids. */
  next(db: Db, from: { keyId: string; after: number; limit: number }): Promise<SealedValue[]>;
  /** Replaces a value by the same one, sealed with another key. */
  store(db: Db, id: number, sealed: Sealed): Promise<void>;
};

export const taskSecrets: SealedTable = {
  async next(db, from) {
    const rows = await selectOfOtherKeys(db, from);
    return rows.map((row) => ({ id: row.id, name: row.name, place: row, value: (keys) => open(keys.all(), row, row) }));
  },
  store: updateSealed,
};

/**
 * Seals each of the table's values with the current key that it does not have yet. It can be stopped at any point and begun again.
 * `unreadable`: the names of those that no key opens, which stay as they are.
 */
export async function sealAgain(store: Store, keys: Keyring, table: SealedTable): Promise<{ sealed: number; unreadable: string[] }> {
  const done = { sealed: 0, unreadable: [] as string[] };
  for (let after = 0; ; ) {
    const last = await store.write(async (db) => {
      // No server seals a value meanwhile; one that has waited reads the key anew.
      await lockSecrets({ db, dialect: store.dialect });
      const key = keys.current();
      const rows = await table.next(db, { keyId: key.id, after, limit: BATCH });
      for (const row of rows) {
        const value = row.value(keys);
        if (value === null) done.unreadable.push(row.name);
        else {
          await table.store(db, row.id, seal(key, row.place, value));
          done.sealed += 1;
        }
      }
      return rows.at(-1)?.id;
    });
    if (last === undefined) return done;
    after = last;
  }
}
