import type { Keyring } from '../../process/keyring.ts';
import { Refusal } from '../../verbs/problem.ts';
import type { SealedTable } from '../secrets/rotation.ts';
import { open, type Place, type Sealed, seal } from '../secrets/sealing.ts';
import * as store from './store.ts';

/** The secrets with which callers sign. They are encrypted with the keys of the secrets of tasks. */

type Row = Pick<store.HookRow, 'id' | 'task_id' | 'verify_secret' | 'verify_key_id'>;

export function sealSigning(keys: Keyring, hook: Pick<Row, 'id' | 'task_id'>, secret: string): Sealed {
  return seal(keys.current(), placeOf(hook), secret);
}

/** The secret; null: the hook has none, or no key of this server opens it. */
export function openSigning(keys: Keyring, row: Row): string | null {
  const { verify_secret: sealed, verify_key_id: key_id } = row;
  if (sealed === null || key_id === null) return null;
  return open(keys.all(), placeOf(row), { key_id, sealed });
}

export function requireSigning(keys: Keyring, row: Row): string {
  const secret = openSigning(keys, row);
  if (secret !== null) return secret;
  throw new Refusal(
    'secret_unreadable',
    'The secret of the signatures was encrypted with another key than this server has; an admin has to give it the key, or to set the secret of the hook anew.',
  );
}

/** What a rotation of the key encrypts anew. */
export const signingSecrets: SealedTable = {
  async next(db, from) {
    const rows = await store.selectOfOtherKeys(db, from);
    return rows.map((row) => ({ id: row.id, name: `hook ${row.id}`, value: (keys) => openSigning(keys, row), place: placeOf(row) }));
  },
  store: store.updateSealed,
};

/** No secret of a task has such a name, because it has a space. */
function placeOf({ id, task_id }: Pick<Row, 'id' | 'task_id'>): Place {
  return { name: `hook ${id}`, task_id };
}
