import type { Logger } from 'pino';
import type { Store } from '../../db/open.ts';
import type { Keyring } from '../../process/keyring.ts';
import { Refusal } from '../../verbs/problem.ts';
import { type SealedTable, sealAgain } from '../secrets/rotation.ts';
import { open, type Place, type Sealed, seal } from '../secrets/sealing.ts';
import * as store from './store.ts';

/**
 * The secrets with which callers sign. They are encrypted with the keys of the secrets of tasks. Servers of earlier versions stored them as
 * they are: a server that has a key encrypts such secrets when it starts, and until then they are used as they are.
 */

type Row = Pick<store.HookRow, 'id' | 'task_id' | 'verify_secret' | 'verify_key_id'>;

export function sealSigning(keys: Keyring, hook: Pick<Row, 'id' | 'task_id'>, secret: string): Sealed {
  return seal(keys.current(), placeOf(hook), secret);
}

/** The secret; null: the hook has none, or no key of this server opens it. */
export function openSigning(keys: Keyring, row: Row): string | null {
  const { verify_secret: sealed, verify_key_id: key_id } = row;
  if (sealed === null || key_id === null) return sealed;
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
export const signingSecrets: SealedTable = tableOf(store.selectOfOtherKeys);

/**
 * Encrypts the secrets that are stored as they are. It makes a key only if there are some, and never where several servers may share the
 * database: the others would not have a key that this one makes.
 */
export async function sealPlainSigning(data: Store, keys: Keyring, log: Logger): Promise<void> {
  if ((await store.selectPlain(data.reader, { after: 0, limit: 1 })).length === 0) return;
  if (data.dialect.engine === 'postgres' && keys.all().length === 0) {
    log.warn('secrets of hooks are stored unencrypted: give all servers the same SECRETS_KEY; the next start encrypts them');
    return;
  }
  await sealAgain(data, keys, tableOf(store.selectPlain));
}

function tableOf(next: typeof store.selectOfOtherKeys): SealedTable {
  return {
    async next(db, from) {
      const rows = await next(db, from);
      return rows.map((row) => ({ id: row.id, name: `hook ${row.id}`, value: (keys) => openSigning(keys, row), place: placeOf(row) }));
    },
    store: store.updateSealed,
  };
}

/** No secret of a task has such a name, because it has a space. */
function placeOf({ id, task_id }: Pick<Row, 'id' | 'task_id'>): Place {
  return { name: `hook ${id}`, task_id };
}
