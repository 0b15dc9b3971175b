import { slugOf } from '../../contract/texts.ts';

/** The characters of public ids, in lower case (decisions.md PH9). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Proposes the address of a new record while its name is typed: of a name in which nothing is Latin, a public id, always the same one. */
export function slugProposals(longest?: number): (name: string) => string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return (name) => slugOf(name, longest) || (/[\p{L}\p{N}]/u.test(name) ? id : '');
}
