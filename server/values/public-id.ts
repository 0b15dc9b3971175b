import type { RandomBytes } from '../verbs/context.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 12 characters of Crockford's base32 (decisions.md PH9): 60 bits, which cannot be guessed. */
export function newPublicId(random: RandomBytes): string {
  return Array.from(random(12), (byte) => ALPHABET.charAt(byte & 31)).join('');
}
