import type { RandomBytes } from '../verbs/context.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 12 characters of Crockford's base32 (spec PH9): 60 bits, which cannot be guessed. */
export function newPublicId(random: RandomBytes): string {
  return publicIdFrom(random(12));
}

/** A character for each byte, by its last five bits. */
export function publicIdFrom(bytes: Uint8Array): string {
  let id = '';
  for (const byte of bytes) id += ALPHABET.charAt(byte & 31);
  return id;
}
