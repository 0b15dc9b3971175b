import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const expand = promisify(gunzip);

/** A text that is stored as it is or compressed; null: there is none. */
export async function unpacked(text: string | null, packed: Buffer | null): Promise<string | null> {
  return packed === null ? text : (await expand(packed)).toString();
}
