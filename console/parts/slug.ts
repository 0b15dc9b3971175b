import { slugOf } from '../../contract/texts.ts';

/** The characters of public ids, in lower case (spec PH9). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Proposes the address of a new record from its name, anew at each change of the name. A name without Latin letters and digits gets a random
 * public id, which stays the same while the name is typed.
 */
export function slugProposals(longest?: number): (name: string) => string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return (name) => slugOf(name, longest) || (/[\p{L}\p{N}]/u.test(name) ? id : '');
}
