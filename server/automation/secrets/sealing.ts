import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretsKey } from '../../process/key-file.ts';

/** A secret's place, which is sealed with its value: a value that is moved to another row cannot be opened there. */
export type Place = { name: string; task_id: number | null };
export type Sealed = { key_id: string; sealed: string };

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal({ id, bytes }: SecretsKey, place: Place, value: string): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, bytes, iv, { authTagLength: TAG_BYTES }).setAAD(placeText(place));
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { key_id: id, sealed: Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64') };
}

/** The value; null: none of the keys opens it, or the row is not the one that was sealed. */
export function open(keys: readonly SecretsKey[], place: Place, { key_id, sealed }: Sealed): string | null {
  const key = keys.find(({ id }) => id === key_id);
  const bytes = Buffer.from(sealed, 'base64');
  if (!key || bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(placeText(place))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function placeText({ name, task_id }: Place): Buffer {
  return Buffer.from(`${task_id === null ? 'shop' : `task ${task_id}`}/${name}`);
}
