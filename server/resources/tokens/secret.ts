import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../../verbs/context.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 bits as 43 base62 characters. */
export function randomSecret(random: RandomBytes = randomBytes): string {
  let text = '';
  // Bytes from 248 (4 × 62) on are skipped, so that every character is equally likely.
  while (text.length < 43) for (const byte of random(64)) if (byte < 248 && text.length < 43) text += BASE62[byte % 62];
  return text;
}

/** `pat_<id>_<43 base62>_<6 character checksum>` (spec AU1). */
export function personalAccessToken(id: number): string {
  const body = `pat_${id}_${randomSecret()}`;
  let sum = crc32(body);
  let check = '';
  for (let i = 0; i < 6; i++) {
    check = BASE62[sum % 62] + check;
    sum = Math.floor(sum / 62);
  }
  return `${body}_${check}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Under which a record of the authorization server is found: two kinds of records never share a key. */
export function oauthKeyHash(model: string, key: string): string {
  return hashToken(`${model} ${key}`);
}

export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
