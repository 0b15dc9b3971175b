import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 bits as 43 base62 characters. */
export function randomSecret(): string {
  return Array.from({ length: 43 }, () => BASE62[randomInt(62)]).join('');
}

/** `pat_<id>_<43 base62>_<6 character checksum>` (decisions.md AU1). */
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
  return createHash('sha256').update(token).digest('hex');
}

export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
