import { createHash } from 'node:crypto';

/** The ETag of a file, by its content: files of an installed package all have one time. Weak, as its packed and unpacked forms have the same. */
export function contentTag(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
